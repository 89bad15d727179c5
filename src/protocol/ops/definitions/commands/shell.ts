/** Commands: argument vectors, never shell strings. */
import { nameInList } from '../../../../base/text/one-line.ts';
import * as z from '../../../text/zod.ts';
import { CommandId } from '../../../rpc/ids.ts';
import { defineOp, notForModels } from '../../define-op.ts';
import { chainLimits } from '../../commands/command-chain.ts';
import { describeOverTime, OverTime } from '../../commands/over-time.ts';
import { CommandNeeds } from '../../commands/command-needs.ts';
import { isBelowCwd, isElsewhere, NULL_DEVICE_PATH } from '../../commands/redirect.ts';
import { shellLineHint, shownCommands } from '../../commands/shell-line.ts';
import { text } from '../../../text/text.ts';

/** End of one command of a chain; `exitCode` is null when a signal ended it. */
const CommandEnd = z.object({ program: z.string(), exitCode: z.int().nullable(), signal: z.string().nullable() });
export type CommandEnd = z.infer<typeof CommandEnd>;

/**
 * State of a run. `output` is stdout and stderr as they came, without ANSI sequences; for a pipe, the stdout of the last
 * command. `exitCode` and `signal` are those of the last command that failed, or of the last one. A command fails with an
 * exit code other than 0 or by a signal, except SIGPIPE after its reader stopped early.
 */
export const CommandState = z.object({
	commandId: CommandId,
	running: z.boolean(),
	exitCode: z.int().nullable(),
	signal: z.string().nullable(),
	timedOut: z.boolean(),
	/** With `timedOut`; absent from an older host. */
	overTime: OverTime.optional(),
	/** The user ended this command, and not the turn. */
	stoppedByUser: z.literal(true).optional(),
	/** The user let it go on in the background. */
	sentToBackground: z.literal(true).optional(),
	/** Commands of a chain that ran and ended, in order. */
	ends: z.array(CommandEnd).optional(),
	output: z.string(),
	/** Characters dropped from the middle of `output`, head and tail kept. */
	omitted: z.int().nonnegative(),
	/** True when it ran in a sandbox; absent from a host of an older version. */
	sandboxed: z.boolean().optional(),
	/** Rights it lacked in its sandbox, as far as that could be told, each as a sentence that names what to ask for. */
	kept: z.array(z.string()).optional(),
	/** Files of the workspace that it changed by itself, the first of them; absent: none, or nobody has looked. */
	changed: z
		.array(
			z.object({
				path: z.string(),
				kind: z.enum(['created', 'modified', 'deleted']),
				/** Present when it changed meanwhile, and nothing shows that the command did it. */
				isShown: z.literal(false).optional(),
			}),
		)
		.optional(),
	/** Changed files that are not listed, and files of which nobody knows whether they changed. */
	changedBeyond: z.int().nonnegative().optional(),
	/** Present when it ran on a copy of the workspace and the user kept the changes. */
	tried: z.literal(true).optional(),
	/** Files that it changed otherwise than when it was tried on a copy, the first of them; absent: none, or it was not tried. */
	unlikeTrial: z.array(z.string()).optional(),
});
export type CommandState = z.infer<typeof CommandState>;

function presentCommand(state: CommandState): string {
	const end = describeCommandEnd(state);
	const kept = (state.kept ?? []).map((sentence) => `\n[${sentence}]`).join('');
	const tried = state.tried === true ? TRIED : '';
	const changed = `${changedBy(state)}${tried}${describeTrialDifference(state)}`;
	return state.output === '' ? `${end}${kept}${changed}` : `${state.output.trimEnd()}\n${end}${kept}${changed}`;
}

function describeTrialDifference({ unlikeTrial = [] }: CommandState): string {
	return unlikeTrial.length === 0 ? '' : `\n[unlike its trial on a copy: ${unlikeTrial.join(', ')}]`;
}

const TRIED = '\n[it ran on a copy of the workspace, without network; the user kept what it changed there]';

function changedBy({ changed = [], changedBeyond = 0 }: CommandState): string {
	const words = { created: ' (new)', modified: '', deleted: ' (deleted)' };
	const list = (isApart: boolean) =>
		changed.flatMap(({ path, kind, isShown }) =>
			(isShown === false) === isApart ? [`${nameInList(path)}${words[kind]}`] : [],
		);
	const [listed, apart] = [list(false), list(true)];
	if (changed.length === 0) {
		return changedBeyond === 0 ? '' : `\n[changed, or may have: ${changedBeyond} files, too many to name or undo]`;
	}
	const beyond = changedBeyond === 0 ? [] : [`${changedBeyond} more`];
	const own = [...listed, ...beyond];
	const meanwhile = `[changed meanwhile, by it or by somebody else: ${apart.join(', ')}]`;
	return `${own.length === 0 ? '' : `\n[changed: ${own.join(', ')}]`}${apart.length === 0 ? '' : `\n${meanwhile}`}`;
}

/** Returns the text for the ledger. The end of the command comes first, where `commandEndOf` finds it. */
function recordCommand(state: CommandState): string {
	return `${describeCommandEnd(state)}${describeTrialDifference(state).replace('\n', ' ')} ${state.output}`.trimEnd();
}

function describeCommandEnd(state: CommandState): string {
	return state.running
		? `[still running as ${state.commandId}${state.sentToBackground === true ? ': the user sent it to the background' : ''}; read more with shell_output]`
		: state.stoppedByUser === true
			? '[stopped by the user; ask before you run it again]'
			: state.timedOut
				? `[stopped: ${describeOverTime(state.overTime)}; a longer one can be given as timeoutMs]`
				: state.signal !== null
					? `[ended by ${state.signal}]`
					: `[exit code ${state.exitCode}${describeEachEnd(state)}]`;
}

function describeEachEnd({ ends = [] }: CommandState): string {
	const texts = ends.map(({ program, exitCode, signal }) => `${program} ${signal ?? exitCode}`);
	return texts.length === 0 ? '' : `: ${texts.join(', ')}`;
}

const CommandArgv = z
	.array(z.string().max(32_768), {
		error: ({ input }) => (typeof input === 'string' ? `expected a list of words; ${shellLineHint(input)}` : undefined),
	})
	.min(1)
	.max(chainLimits.words);

const RedirectedPath = z
	.string()
	.min(1)
	.max(4096)
	.refine(
		(path) => path === NULL_DEVICE_PATH || isBelowCwd(path) || isElsewhere(path),
		`expected a path of a file that goes up (..) at its beginning only, or ${NULL_DEVICE_PATH}`,
	);

const RedirectParam = z.union([
	z
		.strictObject({
			stream: z.enum(['stdin', 'stdout', 'stderr']),
			mode: z.enum(['read', 'write', 'append']),
			path: RedirectedPath,
		})
		.refine(
			({ stream, mode }) => (stream === 'stdin') === (mode === 'read'),
			'stdin is read, stdout and stderr are written or appended to',
		),
	z.strictObject({ stream: z.enum(['stdout', 'stderr']), to: z.enum(['stdout', 'stderr']) }),
]);

/** Models write them in a line, as they know them; those are read before the call is made. */
const Redirects = z.array(RedirectParam).max(chainLimits.redirects).optional().meta(notForModels);
const Patterns = z.array(z.int().nonnegative()).max(chainLimits.words).optional().meta(notForModels);

export const shellRun = defineOp({
	params: z.strictObject({
		argv: CommandArgv,
		redirects: Redirects,
		patterns: Patterns,
		chain: z
			.array(
				z.strictObject({
					join: z.enum(['|', '&&', '||', ';']),
					argv: CommandArgv,
					redirects: Redirects,
					patterns: Patterns,
				}),
			)
			.max(chainLimits.chained)
			.optional(),
		cwd: z.string().min(1).max(4096).default('.'),
		timeoutMs: z.int().positive().max(3_600_000).optional(),
		background: z.boolean().default(false),
		tty: z.boolean().optional(),
		needs: CommandNeeds.optional(),
	}),
	result: CommandState,
	risk: 'RESTRICTED',
	permission: 'shell',
	effect: 'execute',
	timeoutMs: 0,
	limitMs: ({ timeoutMs, background }, settingMs) => timeoutMs ?? (background ? 0 : settingMs),
	isCommand: true,
	tool: 'Run a program, no shell; chain is what follows | && || or ;. In a sandbox: no home, hosts asked about; needs asks for more; tty if needed.',
	title: (commands) => text('Run {command}', { command: shownCommands(commands) }),
	present: presentCommand,
	record: recordCommand,
});

export const shellOutput = defineOp({
	params: z.strictObject({
		commandId: CommandId,
		waitMs: z.int().nonnegative().max(60_000).default(0),
	}),
	result: CommandState,
	risk: 'SAFE',
	permission: 'shell',
	effect: 'read',
	timeoutMs: 65_000,
	tool: 'New output of a background command.',
	title: ({ commandId }) => text('Read output of {commandId}', { commandId }),
	present: presentCommand,
	record: recordCommand,
	isHousekeeping: true,
});

export const shellStop = defineOp({
	params: z.strictObject({ commandId: CommandId }),
	result: CommandState,
	risk: 'SAFE',
	permission: 'shell',
	effect: 'execute',
	timeoutMs: 10_000,
	tool: 'Stop a background command.',
	sharedTool: { of: 'shell.output', by: 'stop' },
	title: ({ commandId }) => text('Stop {commandId}', { commandId }),
	present: presentCommand,
	record: recordCommand,
});
