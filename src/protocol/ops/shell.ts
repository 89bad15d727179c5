/** Commands: argument vectors, never shell strings. */
import * as z from 'zod';
import { CommandId } from '../ids.ts';
import { defineOp } from './define-op.ts';

/** What a command has come to. `output` is stdout and stderr as they came, without ANSI sequences. */
export const CommandState = z.object({
	commandId: CommandId,
	running: z.boolean(),
	exitCode: z.int().nullable(),
	signal: z.string().nullable(),
	timedOut: z.boolean(),
	output: z.string(),
	/** Characters dropped from the middle of `output`, head and tail kept. */
	omitted: z.int().nonnegative(),
});
export type CommandState = z.infer<typeof CommandState>;

function present(state: CommandState): string {
	const end = state.running
		? `[still running as ${state.commandId}; read more with shell_output]`
		: state.timedOut
			? '[stopped: the time limit was reached; a longer one can be given as timeoutMs]'
			: state.signal !== null
				? `[ended by ${state.signal}]`
				: `[exit code ${state.exitCode}]`;
	return state.output === '' ? end : `${state.output.trimEnd()}\n${end}`;
}

export const shellRun = defineOp({
	params: z.object({
		argv: z.array(z.string().max(32_768)).min(1).max(512).describe('program and its arguments; no shell'),
		cwd: z.string().min(1).max(4096).default('.'),
		timeoutMs: z.int().positive().max(3_600_000).optional(),
		background: z.boolean().default(false).describe('return at once; read output later'),
	}),
	result: CommandState,
	risk: 'RESTRICTED',
	permission: 'shell',
	effect: 'execute',
	timeoutMs: 0,
	limitMs: ({ timeoutMs, background }, settingMs) => timeoutMs ?? (background ? 0 : settingMs),
	tool: 'Run a program in the workspace and return its output and exit code.',
	title: ({ argv }) => `Run ${argv.map(quoted).join(' ')}`,
	present,
});

export const shellOutput = defineOp({
	params: z.object({
		commandId: CommandId,
		waitMs: z.int().nonnegative().max(60_000).default(0).describe('wait this long for more output or the end'),
	}),
	result: CommandState,
	risk: 'SAFE',
	permission: 'shell',
	effect: 'read',
	timeoutMs: 65_000,
	tool: 'New output of a background command since the last call.',
	title: ({ commandId }) => `Read output of ${commandId}`,
	present,
});

export const shellStop = defineOp({
	params: z.object({ commandId: CommandId }),
	result: CommandState,
	risk: 'SAFE',
	permission: 'shell',
	effect: 'execute',
	timeoutMs: 10_000,
	tool: 'Stop a background command.',
	title: ({ commandId }) => `Stop ${commandId}`,
	present,
});

/** For people to read, not for a shell to run. */
function quoted(argument: string): string {
	return /^[\w@%+=:,./-]+$/.test(argument) ? argument : JSON.stringify(argument);
}
