/** Runs the program of a hook once: what it is told on standard input, what it says on its outputs. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { findErrno } from '../../../machine/paths/file-error.ts';
import type { ProgramSandbox } from '../../../machine/sandbox/command-wall.ts';
import type { CommandGuard } from '../../../machine/shell/command-guard.ts';
import { findProgram } from '../../../machine/shell/find-program.ts';
import { entryPipes, letIn } from '../../../machine/sandbox/entry.ts';
import { signalGroup, signalWithin } from '../../../machine/shell/process-group.ts';
import type { Hook } from './hook-list.ts';
import { HOOK_OUTPUT_BYTES } from './limits.ts';

interface HookSurroundings {
	readonly cwd: string;
	/** Without any key or token of the host. */
	readonly environment: Readonly<Record<string, string>>;
	/** Ends it with a host that is killed. */
	readonly guard: CommandGuard;
	/** Closed by whoever opened it. Undefined: nothing keeps it in. */
	readonly sandbox: ProgramSandbox | undefined;
}

export interface HookEnd {
	/** Null when a signal ended it. */
	readonly exitCode: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/**
 * Runs a hook. Rejects with COMMAND_NOT_FOUND or COMMAND_FAILED_TO_START when the program cannot be started, with
 * RESPONSE_TOO_LARGE when it writes more than it may, and with the signal's reason when that aborts. In each case, and
 * after a normal end, nothing of its process group is left.
 */
export async function runHook(
	{ run }: Pick<Hook, 'run'>,
	told: unknown,
	{ cwd, environment, guard, sandbox }: HookSurroundings,
	signal: AbortSignal,
): Promise<HookEnd> {
	signal.throwIfAborted();
	const [name, ...args] = run;
	const program = await findProgram(name, cwd, environment);
	signal.throwIfAborted();
	return await new Promise((resolve, reject) => {
		const entry = sandbox?.enter(program, args);
		const child = spawn(entry?.file ?? program, entry?.args ?? args, {
			cwd,
			env: sandbox?.environment ?? environment,
			stdio: ['pipe', 'pipe', 'pipe', ...entryPipes(entry)],
			windowsHide: true,
			detached: process.platform !== 'win32',
		}) as ChildProcessWithoutNullStreams;
		const { pid } = child;
		let problem: unknown;
		const killHook = () => {
			if (pid === undefined) return;
			if (sandbox?.hasOwnProcesses !== true) signalGroup(pid, 'SIGKILL');
			else signalWithin(pid, 'SIGKILL');
		};
		const watch = pid === undefined ? undefined : sandbox?.watch(pid, killHook);
		const failHook = (error: unknown) => {
			problem ??= error;
			killHook();
		};
		const onAbort = () => failHook(signal.reason);
		if (entry !== undefined) letIn(child, entry).catch(failHook);
		const collectOutput = (stream: NodeJS.ReadableStream) => {
			const chunks: Buffer[] = [];
			let bytes = 0;
			stream.on('data', (chunk: Buffer) => {
				bytes += chunk.length;
				if (bytes <= HOOK_OUTPUT_BYTES) chunks.push(chunk);
				else
					failHook(
						new ProwessError('RESPONSE_TOO_LARGE', `${name} said more than ${HOOK_OUTPUT_BYTES} bytes`, {
							said: text('{name} said more than {n} bytes.', { name, n: HOOK_OUTPUT_BYTES }),
						}),
					);
			});
			return () => Buffer.concat(chunks).toString('utf8');
		};
		const stdout = collectOutput(child.stdout);
		const stderr = collectOutput(child.stderr);
		signal.addEventListener('abort', onAbort, { once: true });
		if (pid !== undefined) guard.add(pid);
		child.once('error', (error) => {
			const message = `cannot start ${name}: ${error.message}`;
			failHook(
				new ProwessError(
					'COMMAND_FAILED_TO_START',
					message,
					{
						errno: findErrno(error) ?? null,
						said: text('The program "{name}" could not be started: {why}', { name, why: error.message }),
					},
					error,
				),
			);
			if (pid === undefined) endHook(null);
		});
		// A program need not read what it is told.
		child.stdin.on('error', () => undefined);
		child.stdin.end(`${JSON.stringify(told)}\n`);
		// Processes that the hook left running would hold its outputs open; a hook that has answered has ended, so end
		// them.
		child.once('exit', killHook);
		child.once('close', (exitCode) => endHook(exitCode));
		const endHook = (exitCode: number | null) => {
			signal.removeEventListener('abort', onAbort);
			watch?.dispose();
			if (pid !== undefined) guard.delete(pid);
			if (problem === undefined) resolve({ exitCode, stdout: stdout(), stderr: stderr() });
			else reject(problem as Error);
		};
	});
}
