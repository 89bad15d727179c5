/**
 * The texts that an op returns, with their labels: what a model reads of the world, by op. The table names every op, so none is
 * added without a word on what it returns.
 */
import { posix } from 'node:path';
import type { ReadText } from '../../../contract/labels.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';
import { isOpName, type OpName } from '../../../protocol/op-table/ops.ts';
import { fetchesText } from './connecting-commands.ts';

/** An op that was done, or is about to be. */
export interface ReadingOp {
	readonly op: string;
	readonly params: unknown;
	readonly targets: readonly OpTarget[];
	/** Undefined: it has not been done yet. */
	readonly result?: unknown;
}

export type ReturnedText = Omit<ReadText, 'opId'>;
type Fields = Readonly<Record<string, unknown>>;
type TextsOf = (op: { readonly params: Fields; readonly targets: readonly OpTarget[]; readonly result: Fields }) => readonly ReturnedText[];
/** True for a file of the workspace that somebody else has made. */
type IsMade = (path: string) => boolean;

/** What only the user, their project or Prowess itself has written, or what was labelled when it was read. */
const NOTHING: readonly ReturnedText[] = [];
const own: TextsOf = () => NOTHING;
const files: TextsOf = ({ params, targets, result }) => [...namedFiles(params, targets), ...foundFiles(result)];
const web: TextsOf = ({ targets }) => targets.flatMap(hostText);
const mcp: TextsOf = ({ params }) => [{ source: 'mcp', name: String(params['server']), secrecy: 'workspace' }];
const runs: TextsOf = ({ params, result }) => {
	const name = [result['type'] ?? params['type'], result['name'] ?? params['name']].filter(isText).join('/');
	return isText(result['name']) || isText(params['name']) ? [{ source: 'capability', name, secrecy: 'workspace' }] : [];
};

const TEXTS: { readonly [N in OpName]: TextsOf } = {
	'fs.read': files,
	'fs.list': files,
	'fs.find': files,
	'fs.stat': files,
	'search.text': files,
	'search.code': files,
	'fs.edit': files,
	'fs.write': own,
	'fs.move': own,
	'fs.delete': own,
	'fs.makeFolder': own,
	'plist.parse': files,
	'sql.query': files,
	'sql.execute': files,
	'editor.diagnostics': files,
	'editor.symbols': files,
	'editor.references': files,
	'git.status': own,
	'git.diff': files,
	'shell.run': ({ params, targets }) => [...namedFiles(params, targets), ...targets.flatMap(hostText), ...targets.flatMap(commandText)],
	// Labelled when the command began, and again with each host that it connected to.
	'shell.output': own,
	'shell.stop': own,
	'net.connect': web,
	'http.get': web,
	'http.request': web,
	'http.sessionOpen': own,
	'http.sessionClose': own,
	'cookie.get': own,
	'cookie.clear': own,
	'cookie.resolve': own,
	'web.search': () => [{ source: 'web', name: 'web-search', secrecy: 'public' }],
	// The user has agreed to what a server says of its tools, and is asked again where that changes.
	'mcp.tools': own,
	'mcp.call': mcp,
	'mcp.resources': mcp,
	'mcp.read': mcp,
	'mcp.prompt': mcp,
	'mcp.sample': own,
	'capability.list': own,
	'capability.detail': runs,
	'capability.start': runs,
	'capability.status': ({ result }) => listIn(result, 'executions').flatMap((each) => runs({ params: {}, targets: [], result: each })),
	'capability.stop': runs,
	'capability.switch': own,
	'services.call': runs,
	'services.listProviders': own,
	// A sub-agent has the label of the thread that it works for, and the other way round.
	'agent.spawn': own,
	'agent.send': own,
	'agent.list': own,
	'agent.stop': own,
	'agent.run': own,
	'llm.chat': own,
	'llm.oneshot': own,
	'llm.resolveTools': own,
	'memory.remember': own,
	'memory.forget': own,
	// Labelled by the thread that noted it (`ThreadLabels.copy`), as are schedules.
	'memory.recall': own,
	'schedule.add': own,
	'schedule.list': own,
	'schedule.switch': own,
	'goal.start': own,
	'goal.verdict': own,
	'script.run': own,
	'user.ask': own,
	'todo.write': own,
	'plan.write': own,
	'progress.report': own,
	'secrets.list': own,
	'secrets.read': ({ params }) => [{ source: 'workspace', name: `secret ${String(params['name'])}`, secrecy: 'secret' }],
	'secrets.write': own,
	'crypto.hash': own,
	'crypto.hmac': own,
	'crypto.pbkdf2': own,
	'crypto.hkdf': own,
	'crypto.aesGcmEncrypt': own,
	'crypto.aesGcmDecrypt': own,
	'crypto.randomBytes': own,
	'workspace.instructions': own,
	'workspace.changes': own,
	'workspace.environment': own,
};

/** Returns the labels of what the op returns, or will. An op that nobody knows returns what nobody knows. */
export function textsOfOp({ op, params, targets, result }: ReadingOp, isMade: IsMade = () => false): readonly ReturnedText[] {
	const textsOf = isOpName(op) ? TEXTS[op] : () => [{ source: 'unknown', name: op, secrecy: 'workspace' } as const];
	const given = fieldsOf(params);
	const texts = textsOf({ params: given, targets, result: fieldsOf(result) });
	const made = texts === NOTHING ? [] : [...readPaths(given, targets), ...foundPaths(fieldsOf(result))].filter(isMade);
	return [...texts, ...made.map((name): ReturnedText => ({ source: 'files', name, secrecy: 'public' }))];
}

/** Files that a command made, as its result names them: while it was connected, they are somebody else's. */
export function madeByCommand({ op, result }: Pick<ReadingOp, 'op' | 'result'>): readonly string[] {
	const changed = op.startsWith('shell.') ? listIn(fieldsOf(result), 'changed') : [];
	return changed.flatMap(({ path, kind }) => (kind === 'created' && isText(path) ? [path] : []));
}

/** Returns pairs of ids: the label of the first is handed on to the second by an op that was done for `id`. */
export function copiesOfOp({ op, result }: Pick<ReadingOp, 'op' | 'result'>, id: string): readonly (readonly [from: string, to: string])[] {
	const returned = fieldsOf(result);
	switch (op) {
		case 'schedule.add':
		case 'goal.start':
			return isText(returned['id']) ? [[id, returned['id']]] : [];
		case 'schedule.list':
			return listIn(returned, 'schedules').flatMap((each) => (isText(each['id']) ? [[each['id'], id] as const] : []));
		default:
			return [];
	}
}

/** Returns the memories that were recalled, each with the thread whose agent noted it. */
export function recalledTexts({ op, result }: Pick<ReadingOp, 'op' | 'result'>): readonly (readonly [from: string, read: ReturnedText])[] {
	const memories = op === 'memory.recall' ? listIn(fieldsOf(result), 'memories') : [];
	return memories.flatMap(({ id, threadId }) =>
		isText(threadId) ? [[threadId, { source: 'memory', name: String(id), secrecy: 'workspace' }] as const] : [],
	);
}

/** Files that the op names. Those that only a person could open hold secrets. */
function namedFiles(params: Fields, targets: readonly OpTarget[]): readonly ReturnedText[] {
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
function readPaths(params: Fields, targets: readonly OpTarget[]): readonly string[] {
	const words = targets.flatMap((target) => (target.kind === 'command' ? wordsThatRead(target) : []));
	return isText(params['path']) ? [params['path'], ...words] : words;
}

/** Words of a command that may name what it reads: neither flags nor what a flag leaves out. */
function wordsThatRead({ argv, cwd, streams }: Extract<OpTarget, { kind: 'command' }>): readonly string[] {
	const words = argv.filter((word, index) => index > 0 && !/^[-!:]/.test(word) && !LEAVES_OUT.test(argv[index - 1] ?? ''));
	return [...words, ...(streams?.reads ?? [])].map((word) => posix.join(cwd, word));
}

const LEAVES_OUT = /^-{1,2}(?:[\w-]*(?:path|name|exclude|ignore)[\w-]*|prune|g)$/i;

/** Files that a search has found. */
function foundFiles(result: Fields): readonly ReturnedText[] {
	return foundPaths(result).filter(isInPackages).map(fileOfPackage);
}

function foundPaths(result: Fields): readonly string[] {
	const found = [...listIn(result, 'matches'), ...listIn(result, 'places'), ...listIn(result, 'diagnostics')];
	return [...new Set(found.map(({ path }) => path).filter(isText))];
}

const PACKAGES = '(?:node_modules|bower_components|jspm_packages|site-packages|dist-packages|\\.venv|venv|vendor|Pods)';
const UP_TO_PACKAGES = new RegExp(`^(?:.*?[\\\\/])??${PACKAGES}(?=$|[\\\\/])`, 'i');

/** True for a path into a folder of packages, which others have written. */
function isInPackages(path: string): boolean {
	return UP_TO_PACKAGES.test(path);
}

/** Named by its folder of packages: who has read one of them has read others' words. */
function fileOfPackage(path: string): ReturnedText {
	const [folder = path] = UP_TO_PACKAGES.exec(path) ?? [];
	return { source: 'files', name: folder, secrecy: 'public' };
}

/** A server on this machine answers with what is the user's own. */
function hostText(target: OpTarget): ReturnedText[] {
	return target.kind === 'host' && target.isHere !== true ? [{ source: 'web', name: target.host, secrecy: 'public' }] : [];
}

/** A command without a sandbox is connected where its words say so. */
function commandText(target: OpTarget): ReturnedText[] {
	return target.kind === 'command' && target.isSandboxed !== true && fetchesText(target)
		? [{ source: 'web', name: target.argv[0] ?? '', secrecy: 'public' }]
		: [];
}

function fieldsOf(value: unknown): Fields {
	return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function listIn(fields: Fields, name: string): readonly Fields[] {
	const list = fields[name];
	return Array.isArray(list) ? list.map(fieldsOf) : [];
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}
