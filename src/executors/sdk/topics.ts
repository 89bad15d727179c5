/** The SDK by topic: `http.get(url)`, `sql.query('select …', { path })`. Each is an op of the host under the name it has there. */
import type { OpResult } from '../../protocol/ops.ts';
import type { PerformOp } from './host.ts';

type Params = Readonly<Record<string, unknown>>;
type Verb = (first?: unknown, more?: Params) => Promise<unknown>;
type Topic = Readonly<Record<string, Verb>>;

/** Params that a first argument stands for when it is no object. */
const FIRST: Readonly<Record<string, string>> = {
	'fs.read': 'path',
	'fs.list': 'path',
	'fs.write': 'path',
	'sql.query': 'sql',
	'llm.oneshot': 'prompt',
	'llm.chat': 'messages',
	'shell.run': 'argv',
	'plist.parse': 'path',
};

const NAMES = ['http', 'sql', 'secrets', 'llm', 'shell', 'crypto', 'plist', 'fs'] as const;
const METHODS = ['post', 'put', 'patch', 'delete', 'head'] as const;

export type Topics = Readonly<Record<string, unknown>> & {
	readonly progress: { report(message: string, fraction?: number): Promise<OpResult<'progress.report'>> };
};

export function topicsOf(op: PerformOp): Topics {
	const verb =
		(name: string): Verb =>
		(first, more = {}) =>
			op(name, isMapping(first) ? { ...first, ...more } : { [FIRST[name] ?? 'value']: first, ...more });
	const topic = (name: string, own: Topic = {}): Topic =>
		new Proxy(own, {
			get: (target, key) =>
				typeof key !== 'string' || key === 'then' ? undefined : (target[key] ?? verb(`${name}.${key}`)),
		});
	const read = async (name: unknown) =>
		((await op('secrets.read', isMapping(name) ? name : { name })) as { readonly value: string }).value;
	const report = (message: string, fraction?: number) =>
		op('progress.report', { message: String(message), ...(fraction === undefined ? {} : { fraction }) });
	const own: Readonly<Partial<Record<string, Topic>>> = {
		http: {
			get: (url, more = {}) => (isMapping(url) ? op('http.get', url) : request(op, 'get', url, more)),
			...Object.fromEntries(
				METHODS.map((method) => [method, (url: unknown, more: Params = {}) => request(op, method, url, more)]),
			),
		},
		secrets: { read, get: read },
	};
	return {
		...Object.fromEntries(NAMES.map((name) => [name, topic(name, own[name])])),
		progress: Object.assign(report, { report }),
	};
}

/** `json` is written as the body, and says so. A plain read is the op that only reads. */
async function request(op: PerformOp, method: string, url: unknown, more: Params): Promise<unknown> {
	const { json, headers = {}, ...rest } = more;
	if (method === 'get' && json === undefined && Object.keys(more).length === 0) {
		return await op('http.get', { url });
	}
	const body = json === undefined ? {} : { body: JSON.stringify(json) };
	const type = json === undefined ? {} : { 'content-type': 'application/json' };
	return await op('http.request', {
		method: method.toUpperCase(),
		url,
		headers: { ...type, ...(headers as Params) },
		...body,
		...rest,
	});
}

function isMapping(value: unknown): value is Params {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
