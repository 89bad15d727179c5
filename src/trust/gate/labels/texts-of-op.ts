/**
 * The texts that an op returns, with their labels: what a model reads of the world, by op. The table names every op, so none is
 * added without a word on what it returns.
 */
import { posix } from 'node:path';
import type { ReadText } from '../../../contract/labels.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';
import { isOpName, type OpName } from '../../../protocol/op-table/ops.ts';

/** An op that was done, or is about to be. */
interface ReadingOp {
	readonly op: string;
	readonly params: unknown;
	readonly targets: readonly OpTarget[];
	/** Undefined: it has not been done yet. */
	readonly result?: unknown;
}

export type ReturnedText = Omit<ReadText, 'opId'>;
type OpFields = Readonly<Record<string, unknown>>;
type ReturnTexts = (op: {
	readonly params: OpFields;
	readonly targets: readonly OpTarget[];
	readonly result: OpFields;
}) => readonly ReturnedText[];
/** True for a file of the workspace that somebody else has made. */
type IsMade = (path: string) => boolean;

/** Returns nothing to label: the user, their project or Prowess wrote it, or it was labelled when it was read. */
const NOTHING: readonly ReturnedText[] = [];
const returnOwn: ReturnTexts = () => NOTHING;
const returnFiles: ReturnTexts = ({ params, targets, result }) => [
	...namedFiles(params, targets),
	...foundFiles(result),
];
const returnWeb: ReturnTexts = ({ targets }) => targets.flatMap(hostText);
/** A page has loaded from hosts that are known only afterwards. */
const returnPage: ReturnTexts = ({ targets, result: { hosts } }) => [
	...targets.flatMap(hostText),
	...(Array.isArray(hosts) ? hosts.map((host) => webText(String(host))) : []),
];
const returnMcp: ReturnTexts = ({ params }) => [
	{ source: 'mcp', name: String(params['server']), secrecy: 'workspace' },
];
const returnRun: ReturnTexts = ({ params, result }) => {
	const name = [result['name'], params['name']].find(isFilledText)?.split('/').at(-1);
	return name === undefined ? [] : [{ source: 'capability', name, secrecy: 'workspace' }];
};

/**
 * Ops that return nothing to label; each other one is in the table below, or this does not compile. Output of a command is
 * labelled when the command begins and connects, memories and schedules by the thread that made them. The user has agreed to
 * what servers say of their tools. Sub-agents share a label with the thread that they work for.
 */
type OwnOp =
	| 'fs.write'
	| 'fs.move'
	| 'fs.delete'
	| 'fs.makeFolder'
	| 'git.status'
	| 'shell.output'
	| 'shell.stop'
	| 'http.sessionOpen'
	| 'http.sessionClose'
	| 'cookie.get'
	| 'cookie.clear'
	| 'cookie.resolve'
	| 'mcp.tools'
	| 'mcp.sample'
	| 'capability.list'
	| 'capability.switch'
	| 'services.listProviders'
	| 'agent.spawn'
	| 'agent.send'
	| 'agent.list'
	| 'agent.stop'
	| 'agent.run'
	| 'agent.apply'
	| 'llm.chat'
	| 'llm.oneshot'
	| 'llm.resolveTools'
	| 'memory.remember'
	| 'memory.forget'
	| 'memory.recall'
	| 'schedule.add'
	| 'schedule.list'
	| 'schedule.switch'
	| 'goal.start'
	| 'goal.verdict'
	| 'script.run'
	| 'user.ask'
	| 'todo.write'
	| 'plan.write'
	| 'progress.report'
	| 'editor.comment'
	| 'secrets.list'
	| 'secrets.write'
	| 'crypto.hash'
	| 'crypto.hmac'
	| 'crypto.pbkdf2'
	| 'crypto.hkdf'
	| 'crypto.aesGcmEncrypt'
	| 'crypto.aesGcmDecrypt'
	| 'crypto.randomBytes'
	| 'workspace.instructions'
	| 'workspace.changes'
	| 'workspace.environment';

const RETURNED_BY: { readonly [N in Exclude<OpName, OwnOp>]: ReturnTexts } = {
	'fs.read': returnFiles,
	'fs.list': returnFiles,
	'fs.find': returnFiles,
	'fs.stat': returnFiles,
	'search.text': returnFiles,
	'search.code': returnFiles,
	'fs.edit': returnFiles,
	'plist.parse': returnFiles,
	'sql.query': returnFiles,
	'sql.execute': returnFiles,
	'editor.diagnostics': returnFiles,
	'editor.symbols': returnFiles,
	'editor.references': returnFiles,
	'editor.refactor': returnFiles,
	'git.diff': returnFiles,
	'shell.run': ({ params, targets }) => [...namedFiles(params, targets), ...targets.flatMap(hostText)],
	'net.connect': returnWeb,
	'http.get': returnWeb,
	'http.request': returnWeb,
	'browser.open': returnPage,
	'browser.look': returnPage,
	'browser.act': returnPage,
	'web.search': () => [{ source: 'web', name: 'web-search', secrecy: 'public' }],
	'mcp.call': returnMcp,
	'mcp.resources': returnMcp,
	'mcp.read': returnMcp,
	'mcp.prompt': returnMcp,
	'capability.detail': returnRun,
	'capability.start': returnRun,
	'capability.status': ({ result }) =>
		listMembers(result, 'executions').flatMap((each) => returnRun({ params: {}, targets: [], result: each })),
	'capability.stop': returnRun,
	'services.call': returnRun,
	'secrets.read': ({ params }) => [
		{ source: 'workspace', name: `secret ${String(params['name'])}`, secrecy: 'secret' },
	],
};

/** Returns the labels of what the op returns, or will. An op that nobody knows returns what nobody knows. */
export function textsOfOp(
	{ op, params, targets, result }: ReadingOp,
	isMade: IsMade = () => false,
): readonly ReturnedText[] {
	const find = isOpName(op) ? findReturned(op) : () => [{ source: 'unknown', name: op, secrecy: 'workspace' } as const];
	const given = asOpFields(params);
	const texts = find({ params: given, targets, result: asOpFields(result) });
	const made =
		texts === NOTHING ? [] : [...readPaths(given, targets), ...foundPaths(asOpFields(result))].filter(isMade);
	return [...texts, ...made.map((name): ReturnedText => ({ source: 'files', name, secrecy: 'public' }))];
}

function findReturned(op: OpName): ReturnTexts {
	return Object.hasOwn(RETURNED_BY, op) ? RETURNED_BY[op as keyof typeof RETURNED_BY] : returnOwn;
}

/** False for an op of which it is known that it returns nothing to label. */
export function returnsOthersWords(op: string): boolean {
	return !isOpName(op) || findReturned(op) !== returnOwn;
}

/** Returns pairs of ids: the label of the first is handed on to the second by an op that was done for `id`. */
export function copiesOfOp(
	{ op, result }: Pick<ReadingOp, 'op' | 'result'>,
	id: string,
): readonly (readonly [from: string, to: string])[] {
	const returned = asOpFields(result);
	switch (op) {
		case 'schedule.add':
		case 'goal.start':
			return isFilledText(returned['id']) ? [[id, returned['id']]] : [];
		case 'schedule.list':
			return listMembers(returned, 'schedules').flatMap((each) =>
				isFilledText(each['id']) ? [[each['id'], id] as const] : [],
			);
		default:
			return [];
	}
}

/** Returns the memories that were recalled, each with the thread whose agent noted it. */
export function recalledTexts({
	op,
	result,
}: Pick<ReadingOp, 'op' | 'result'>): readonly (readonly [from: string, read: ReturnedText])[] {
	const memories = op === 'memory.recall' ? listMembers(asOpFields(result), 'memories') : [];
	return memories.flatMap(({ id, threadId }) =>
		isFilledText(threadId) ? [[threadId, { source: 'memory', name: String(id), secrecy: 'workspace' }] as const] : [],
	);
}

/** Files that the op names, secret ones among them. */
function namedFiles(params: OpFields, targets: readonly OpTarget[]): readonly ReturnedText[] {
	const located = targets.flatMap((target): ReturnedText[] => {
		if (target.kind !== 'file' && target.kind !== 'database' && target.kind !== 'beyond') return [];
		if (target.access !== 'read') return [];
		const secrecy = target.isSecret ? 'secret' : 'workspace';
		if (!target.isSecret && isInPackages(target.path)) return [fileOfPackage(target.path)];
		return [{ source: target.kind === 'beyond' ? 'files' : 'workspace', name: target.path, secrecy }];
	});
	return [...located, ...readPaths(params, targets).filter(isInPackages).map(fileOfPackage)];
}

/** Paths that an op names as they are written. */
export function readPaths(params: OpFields, targets: readonly OpTarget[]): readonly string[] {
	const words = targets.flatMap((target) => (target.kind === 'command' ? wordsThatRead(target) : []));
	return isFilledText(params['path']) ? [params['path'], ...words] : words;
}

/** Words of a command that may name what it reads: neither flags nor what a flag leaves out. */
function wordsThatRead({ argv, cwd, streams }: Extract<OpTarget, { kind: 'command' }>): readonly string[] {
	const words = argv.filter(
		(word, index) => index > 0 && !/^[-!:]/.test(word) && !LEAVES_OUT.test(argv[index - 1] ?? ''),
	);
	return [...words, ...(streams?.reads ?? [])].map((word) => (posix.isAbsolute(word) ? word : posix.join(cwd, word)));
}

const LEAVES_OUT = /^-{1,2}(?:[\w-]*(?:path|name|exclude|ignore)[\w-]*|prune|g)$/i;

/** Files that a search has found. */
function foundFiles(result: OpFields): readonly ReturnedText[] {
	return foundPaths(result).filter(isInPackages).map(fileOfPackage);
}

function foundPaths(result: OpFields): readonly string[] {
	const found = [
		...listMembers(result, 'matches'),
		...listMembers(result, 'places'),
		...listMembers(result, 'diagnostics'),
	];
	return [...new Set(found.map(({ path }) => path).filter(isFilledText))];
}

const PACKAGE_FOLDERS: ReadonlySet<string> = new Set([
	...['node_modules', 'bower_components', 'jspm_packages', 'site-packages', 'dist-packages'],
	...['.venv', 'venv', 'vendor', 'pods'],
]);

/** True for a path into a folder of packages, which others have written. */
function isInPackages(path: string): boolean {
	return toPackageFolder(path) !== undefined;
}

/** Named by its folder of packages: who has read one of them has read others' words. */
function fileOfPackage(path: string): ReturnedText {
	return { source: 'files', name: toPackageFolder(path) ?? path, secrecy: 'public' };
}

/** Returns the path up to its first folder of packages. */
function toPackageFolder(path: string): string | undefined {
	const names = path.replaceAll('\\', '/').split('/');
	const at = names.findIndex((name) => PACKAGE_FOLDERS.has(name.toLowerCase()));
	return at === -1 ? undefined : names.slice(0, at + 1).join('/');
}

/** A server on this machine answers with what is the user's own. */
function hostText(target: OpTarget): ReturnedText[] {
	return target.kind === 'host' && target.isHere !== true ? [webText(target.host)] : [];
}

function webText(name: string): ReturnedText {
	return { source: 'web', name, secrecy: 'public' };
}

function asOpFields(value: unknown): OpFields {
	return Object(value) === value ? (value as OpFields) : {};
}

function listMembers(fields: OpFields, name: string): readonly OpFields[] {
	const list = fields[name];
	return Array.isArray(list) ? list.map(asOpFields) : [];
}

function isFilledText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}
