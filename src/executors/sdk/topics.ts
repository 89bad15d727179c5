/** The SDK by topic: `http.get(url)`, `sql.query('select …', { path })`. Each is an op of the host under the name it has there. */
import { SDK_TOPICS } from '../../protocol/execution/execution.ts';
import { cleanReport } from '../../protocol/ops/clean-report.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import type { OpFunction } from './host.ts';

type TopicParams = Readonly<Record<string, unknown>>;
type TopicVerb = (first?: unknown, more?: TopicParams) => Promise<unknown>;
type TopicVerbs = Readonly<Record<string, TopicVerb>>;

/** Params that a first argument stands for when it is no object. */
const FIRST_PARAMS: Readonly<Record<string, string>> = {
	'fs.read': 'path',
	'fs.list': 'path',
	'fs.write': 'path',
	'sql.query': 'sql',
	'llm.oneshot': 'prompt',
	'llm.chat': 'messages',
	'shell.run': 'argv',
	'plist.parse': 'path',
	'llm.resolveTools': 'tools',
	'services.call': 'name',
	'services.listProviders': 'name',
	'cookie.resolve': 'url',
	'cookie.get': 'url',
	'cookie.clear': 'url',
	'http.sessionClose': 'session',
};

const METHODS = ['post', 'put', 'patch', 'delete', 'head'] as const;

export type Topics = Readonly<Record<string, unknown>> & {
	readonly progress: { report(message: string, fraction?: number): Promise<OpResult<'progress.report'>> };
};

export function createTopics(op: OpFunction): Topics {
	const verb =
		(name: string): TopicVerb =>
		(first, more = {}) =>
			op(name, isTopicParams(first) ? { ...first, ...more } : { [findFirstParam(name)]: first, ...more });
	const createTopic = (name: string, own: TopicVerbs = {}): TopicVerbs =>
		new Proxy(own, {
			get: (target, key) =>
				typeof key !== 'string' || key === 'then' ? undefined : (target[key] ?? verb(`${name}.${key}`)),
		});
	const readSecret = async (name: unknown) =>
		((await op('secrets.read', isTopicParams(name) ? name : { name })) as { readonly value: string }).value;
	const writeSecret = (name: unknown, value?: unknown) =>
		op('secrets.write', isTopicParams(name) ? name : { name, value });
	const reportProgress = async (message: string, fraction?: number) => {
		const report = takeReport(message, fraction);
		return report === undefined ? {} : op('progress.report', report);
	};
	const own: Readonly<Partial<Record<string, TopicVerbs>>> = {
		http: {
			get: (url, more = {}) => (isTopicParams(url) ? op('http.get', url) : requestHttp(op, 'get', url, more)),
			...Object.fromEntries(
				METHODS.map((method) => [method, (url: unknown, more: TopicParams = {}) => requestHttp(op, method, url, more)]),
			),
		},
		secrets: { read: readSecret, get: readSecret, write: writeSecret },
	};
	return {
		...Object.fromEntries(SDK_TOPICS.map((name) => [name, createTopic(name, own[name])])),
		progress: Object.assign(reportProgress, { report: reportProgress }),
	};
}

/** Ops have their names in the form of Python, too. */
function findFirstParam(op: string): string {
	return FIRST_PARAMS[op.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())] ?? 'value';
}

/** `json` is written as the body, and says so. A plain read is the op that only reads, also within a session. */
async function requestHttp(op: OpFunction, method: string, url: unknown, more: TopicParams): Promise<unknown> {
	const { json, headers = {}, ...rest } = more;
	if (method === 'get' && Object.keys(more).every((name) => name === 'session')) {
		return await op('http.get', { url, ...more });
	}
	const body = json === undefined ? {} : { body: JSON.stringify(json) };
	const type = json === undefined ? {} : { 'content-type': 'application/json' };
	return await op('http.request', {
		method: method.toUpperCase(),
		url,
		headers: { ...type, ...(headers as TopicParams) },
		...body,
		...rest,
	});
}

function isTopicParams(value: unknown): value is TopicParams {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

let hasSaidOdd = false;

/** Returns what of a report can be shown. The log of the program says once that one was odd. */
export function takeReport(message: unknown, fraction: unknown): { message: string; fraction?: number } | undefined {
	const { report, odd } = cleanReport(message, fraction);
	if (odd !== undefined && !hasSaidOdd) {
		hasSaidOdd = true;
		process.stderr.write(`a report of progress is odd: ${odd}\n`);
	}
	return report;
}
