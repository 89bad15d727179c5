/** Compares how a run ended with what its case expects. */
import { isPlainData } from '../../../base/text/lenient.ts';
import type { CapabilityExecutionResult } from '../../../protocol/execution/execution.ts';
import type { JudgedCase } from '../../../protocol/capability/tested-capability.ts';
import type { LedgerRow } from '../../../protocol/approvals/ledger.ts';
import type { CapabilityCase } from './case-file.ts';
import type { CaseHost } from './case-host.ts';

export interface EndedCase {
	readonly ended: CapabilityExecutionResult;
	readonly tookMs: number;
	/** Rows of the ledger about ops that the capability asked for, oldest first. */
	readonly rows: readonly LedgerRow[];
	/** Ops that a person was asked about. */
	readonly asked: readonly string[];
	readonly modelRequests: number;
	/** False: there were more rows than are read. */
	readonly areRowsWhole: boolean;
	/** Why the run was not agreed to; undefined: it was. */
	readonly refusedRun: string | undefined;
	/** The files that the case names; undefined: there is none. */
	readonly files: ReadonlyMap<string, FileAfterwards | undefined>;
}

/** Content of a file, or why it cannot be read. */
export type FileAfterwards = { readonly text: string } | { readonly fault: string };

interface Unmet {
	readonly message: string;
	/** Below `expect`. */
	readonly at: readonly (string | number)[];
}

/** Returns each thing that is not as expected; none: the case has passed. */
export function judgeCase(
	tried: CapabilityCase,
	ended: EndedCase,
	permissionOf: CaseHost['permissionOf'],
): JudgedCase['failures'] {
	return listFailures(tried, ended, permissionOf).map(({ message, at }) => ({
		message,
		line: tried.findLine(['expect', ...at]),
	}));
}

function listFailures(
	{ expect }: CapabilityCase,
	{ ended, tookMs, rows, areRowsWhole, refusedRun, asked, modelRequests, files }: EndedCase,
	permissionOf: CaseHost['permissionOf'],
): Unmet[] {
	const needed = [...new Set(rows.flatMap(({ op }) => permissionOf(op) ?? []))];
	const done = rows.filter(({ kind, status }) => kind === 'outcome' && status === 'done');
	const whole = typeof ended.result === 'string' ? ended.result : JSON.stringify(ended.result ?? null);
	return [
		...(refusedRun === undefined ? [] : [createUnmet([], refusedRun)]),
		...(areRowsWhole ? [] : [createUnmet([], 'it did more than the ledger is read for, so what it did is not known')]),
		...judgeEnd(expect.error, ended).map((message) => createUnmet(['error'], message)),
		...(ended.success && expect.result !== undefined ? listUnmet(expect.result, ended.result, ['result']) : []),
		...expect.contains.flatMap((text, n) =>
			whole.includes(text) ? [] : [createUnmet(['contains', n], `the result does not contain ${formatFound(text)}`)],
		),
		...Object.entries(expect.files).flatMap(([path, text]) =>
			judgeFile(path, text ?? undefined, files.get(path)).map((message) => createUnmet(['files', path], message)),
		),
		...expect.did.flatMap((words, n) =>
			done.some((row) => isAct(row, words)) ? [] : [createUnmet(['did', n], `it did not do: ${words}`)],
		),
		...expect.never.flatMap((op, n) =>
			rows.some((row) => row.op === op) ? [createUnmet(['never', n], `it asked for ${op}, which it never should`)] : [],
		),
		...needed
			.filter((each) => expect.permissions?.includes(each) === false)
			.map((each) =>
				createUnmet(['permissions'], `it needed the permission ${each}, which is not among those expected`),
			),
		...(expect.asked === undefined
			? []
			: listUnmet([...expect.asked].sort(), [...new Set(asked)].sort(), ['asked']).map(({ message }) =>
					// Sorted, an entry is no longer where it stands in the case.
					createUnmet(['asked'], message),
				)),
		...(expect.modelRequests !== undefined && modelRequests > expect.modelRequests
			? [
					createUnmet(
						['modelRequests'],
						`it asked a model ${modelRequests} times, at most ${expect.modelRequests} expected`,
					),
				]
			: []),
		...(expect.withinMs !== undefined && tookMs > expect.withinMs
			? [createUnmet(['withinMs'], `it took ${Math.round(tookMs)} ms, at most ${expect.withinMs} expected`)]
			: []),
	];
}

function createUnmet(at: Unmet['at'], message: string): Unmet {
	return { message, at };
}

function judgeEnd(wanted: string | undefined, { success, error }: CapabilityExecutionResult): string[] {
	if (wanted === undefined)
		return success ? [] : [`it failed with ${error?.code ?? 'no code'}: ${error?.message ?? ''}`];
	if (success) return [`it succeeded, ${wanted} expected`];
	// A program that hands an error on has another code of its own, and the words of that error.
	return error?.code === wanted || error?.message.includes(`(${wanted})`) === true
		? []
		: [`it failed with ${error?.code ?? 'no code'}, ${wanted} expected: ${error?.message ?? ''}`];
}

function judgeFile(path: string, wanted: string | undefined, found: FileAfterwards | undefined): string[] {
	if (found === undefined) return wanted === undefined ? [] : [`there is no ${path}`];
	if (wanted === undefined) return [`there is a ${path}`];
	if ('fault' in found) return [`${path} cannot be read: ${found.fault}`];
	return found.text === wanted ? [] : [`${path} holds ${formatFound(found.text)}, ${formatFound(wanted)} expected`];
}

function isAct({ op, input }: LedgerRow, words: string): boolean {
	const [wanted = '', ...rest] = words.split(' ');
	return op === wanted && input.includes(rest.join(' '));
}

/** Members of an object that are not named do not count; a list counts whole. */
function listUnmet(wanted: unknown, found: unknown, at: Unmet['at']): Unmet[] {
	const name = formatPlace(at);
	if (Array.isArray(wanted)) {
		if (!Array.isArray(found)) return [createUnmet(at, `${name} is ${formatFound(found)}, a list expected`)];
		if (found.length !== wanted.length) {
			const lengths = `${name} has ${found.length} entries, ${wanted.length} expected`;
			return [createUnmet(at, `${lengths}: ${formatFound(found)}`)];
		}
		return wanted.flatMap((each, n) => listUnmet(each, found[n], [...at, n]));
	}
	if (isPlainData(wanted)) {
		if (!isPlainData(found)) return [createUnmet(at, `${name} is ${formatFound(found)}, an object expected`)];
		return Object.entries(wanted).flatMap(([member, each]) => listUnmet(each, found[member], [...at, member]));
	}
	return wanted === found ? [] : [createUnmet(at, `${name} is ${formatFound(found)}, ${formatFound(wanted)} expected`)];
}

/** `result.items[0].line` */
function formatPlace([first, ...rest]: Unmet['at']): string {
	return `${first}${rest.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')}`;
}

const SHOWN_CHARS = 200;

function formatFound(value: unknown): string {
	const text = JSON.stringify(value) ?? 'nothing';
	return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}…`;
}
