/** Receipts of a command line: one for each of its commands, and those of the files that it changed. */
import { type CommandChain, listChainCommands, type SimpleCommand } from '../ops/commands/command-chain.ts';
import { listRedirectFiles } from '../ops/commands/redirect.ts';
import { findShellScript, readScriptCommands } from '../ops/commands/script-commands.ts';
import { type CommandAct, readCommandAct } from './command-act.ts';
import type { EffectReceipt, RanReceipt } from './effect-receipt.ts';
import { readTestCounts } from './test-counts.ts';

/** Facts that are read of the state of a command, as `shell.run` and `shell.output` declare it. */
export interface CommandFacts {
	readonly running?: boolean;
	readonly exitCode?: number | null;
	readonly signal?: string | null;
	readonly timedOut?: boolean;
	readonly stoppedByUser?: boolean;
	readonly commandId?: string;
	readonly ends?: readonly { readonly program: string; readonly exitCode: number | null }[] | undefined;
	readonly output?: string;
	readonly changed?:
		| readonly { readonly path: string; readonly kind: 'created' | 'modified' | 'deleted' }[]
		| undefined;
	readonly changedBeyond?: number | undefined;
}

/** Command that ran, with its own end. */
interface RunCommand extends Pick<RanReceipt, 'end' | 'exitCode'> {
	readonly argv: readonly string[];
	/** Files behind `>` and `>>`. */
	readonly writes: readonly string[];
}

const MAX_COMMANDS = 40;

/** `state` is undefined when nobody can say how it ended. A command that is not known by its params may have done anything. */
export function commandReceipts(
	op: string,
	params: Partial<CommandChain> & { readonly cwd?: string },
	state: CommandFacts | undefined,
): readonly EffectReceipt[] {
	const { argv = ['?'], redirects, chain, cwd = '.' } = params;
	const runs = listRuns({ argv, redirects, chain }, state).slice(0, MAX_COMMANDS);
	const id = state?.running === true ? state.commandId : undefined;
	const swept = sweptReceipts(op, state);
	const acts = runs.map((run) => ({ run, act: readCommandAct(run.argv) }));
	const counted = acts.findLast(({ act }) => act.act === 'test');
	return acts
		.flatMap(({ run, act }): EffectReceipt[] => {
			const tests = act === counted?.act ? readTestCounts(state?.output ?? '') : undefined;
			const ran: RanReceipt = {
				kind: 'ran',
				op,
				act: act.act,
				program: act.program,
				verb: act.verb,
				end: run.end,
				exitCode: run.exitCode,
				...(tests === undefined ? {} : { tests }),
				...(id === undefined ? {} : { commandId: id }),
			};
			const isUnseen = run.end === 'exit' && run.exitCode !== 0;
			const sent: EffectReceipt[] = act.sentTo === undefined || isUnseen ? [] : [{ kind: 'sent', op, to: act.sentTo }];
			const written =
				run.writes.length === 0 ? [] : [{ kind: 'edited' as const, op, paths: run.writes.map(prefixFolder(cwd)) }];
			return [ran, ...sent, ...(swept.length > 0 ? [] : [...written, ...(isUnseen ? [] : fileReceipts(op, act, cwd))])];
		})
		.concat(swept);
}

function listRuns(line: CommandChain, state: CommandFacts | undefined): readonly RunCommand[] {
	const whole = endOfState(state);
	const ends = [...(state?.ends ?? [])];
	const commands = listChainCommands(line);
	return commands.flatMap((command): readonly RunCommand[] => {
		if (commands.length === 1 || state?.running === true) {
			return insideShell(command, whole);
		}
		const [next] = ends;
		if (next === undefined || !isSameProgram(next.program, command.argv[0] ?? '')) {
			// Passed over by `&&` or `||`, unless nothing is known of any of them.
			return state?.ends === undefined ? insideShell(command, { end: 'unknown', exitCode: null }) : [];
		}
		ends.shift();
		const { exitCode } = next;
		return insideShell(command, exitCode === null ? { end: 'signal', exitCode } : { end: 'exit', exitCode });
	});
}

function endOfState(state: CommandFacts | undefined): Pick<RanReceipt, 'end' | 'exitCode'> {
	const { exitCode = null } = state ?? {};
	if (state === undefined) return { end: 'unknown', exitCode: null };
	if (state.running === true) return { end: 'running', exitCode: null };
	if (state.stoppedByUser === true) return { end: 'stopped', exitCode: null };
	if (state.timedOut === true) return { end: 'timeLimit', exitCode: null };
	return exitCode === null ? { end: 'signal', exitCode } : { end: 'exit', exitCode };
}

function isSameProgram(ended: string, asked: string): boolean {
	return ended === asked || ended.split(/[\\/]/).at(-1) === asked.split(/[\\/]/).at(-1);
}

/** The commands of a script that a shell runs: of their ends only that of the last one is known. */
function insideShell({ argv, redirects = [] }: SimpleCommand, end: Pick<RanReceipt, 'end' | 'exitCode'>): RunCommand[] {
	const writes = listRedirectFiles(redirects)
		.filter(({ mode }) => mode !== 'read')
		.map(({ path }) => path);
	const script = findShellScript(argv);
	const inner = script === undefined ? [] : readScriptCommands(script);
	if (script === undefined || inner.length === 0) {
		return [{ argv, writes, ...end }];
	}
	const areAllNeeded = !/[;|\n&]/.test(script.replaceAll('&&', '')) && end.exitCode === 0;
	return inner.flatMap((command, index): RunCommand[] => {
		const isLast = index === inner.length - 1;
		const own = end.end !== 'exit' || areAllNeeded || isLast ? end : { end: 'unknown' as const, exitCode: null };
		const within = command.words.flatMap(({ runs }) => runs);
		return [command, ...within].map(({ words, writes: files }) => ({
			argv: words.map(({ text }) => text),
			writes: [...files.map(({ text }) => text).filter((path) => path !== '/dev/null'), ...(isLast ? writes : [])],
			...own,
		}));
	});
}

/** Receipts of what the sweep after the command has found. */
function sweptReceipts(op: string, state: CommandFacts | undefined): readonly EffectReceipt[] {
	const { changed = [], changedBeyond = 0 } = state ?? {};
	const listPaths = (kind: string) => changed.filter((each) => each.kind === kind).map(({ path }) => path);
	const [created, modified, deleted] = [listPaths('created'), listPaths('modified'), listPaths('deleted')];
	return [
		...(created.length === 0 ? [] : [{ kind: 'created' as const, op, paths: created }]),
		...(modified.length === 0 && changedBeyond === 0
			? []
			: [{ kind: 'edited' as const, op, paths: modified, ...(changedBeyond === 0 ? {} : { beyond: changedBeyond }) }]),
		...(deleted.length === 0 ? [] : [{ kind: 'deleted' as const, op, paths: deleted }]),
	];
}

/** Receipts of files that a program names in its words. */
function fileReceipts(op: string, { act, program, files }: CommandAct, cwd: string): readonly EffectReceipt[] {
	const paths = files.map(prefixFolder(cwd));
	const [from, to] = paths;
	if (act !== 'files' || from === undefined) {
		return [];
	}
	switch (program) {
		case 'rm':
		case 'rmdir':
		case 'unlink':
			return [{ kind: 'deleted', op, paths }];
		case 'mv':
		case 'git':
			return paths.length === 2 && to !== undefined
				? [{ kind: 'moved', op, from, to }]
				: [{ kind: 'edited', op, paths }];
		case 'mkdir':
		case 'touch':
		case 'cp':
		case 'ln':
			return [{ kind: 'created', op, paths }];
		default:
			return [{ kind: 'edited', op, paths }];
	}
}

function prefixFolder(cwd: string): (path: string) => string {
	const folder = cwd.replace(/^\.\//, '').replace(/\/+$/, '');
	return (path) =>
		folder === '.' || folder === '' || /^[/~]/.test(path) ? path.replace(/^\.\//, '') : `${folder}/${path}`;
}
