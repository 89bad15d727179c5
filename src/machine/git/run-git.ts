/** Runs git once with a fixed argument vector; bounded in time and output, ended by the signal. */
import { spawn } from 'node:child_process';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { findErrno } from '../paths/file-error.ts';
import { signalGroup } from '../shell/process-group.ts';
import { GIT_ERROR_BYTES } from './limits.ts';

export interface GitOutput {
	readonly exitCode: number | null;
	readonly stdout: Buffer;
	/** More was written than is read. */
	readonly truncated: boolean;
	readonly stderr: string;
}

/** Limits of a single run of Git. */
interface GitLimits {
	readonly outputBytes: number;
	readonly timeoutMs: number;
}

export async function runGit(
	program: string,
	args: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>>,
	{ outputBytes, timeoutMs }: GitLimits,
	signal: AbortSignal,
): Promise<GitOutput> {
	signal.throwIfAborted();
	const limited = deriveSignal(signal, {
		what: `git ${args.find((a) => /^[a-z]/.test(a)) ?? ''}`.trim(),
		timeoutMs,
	});
	try {
		const output = await collectGitOutput(program, args, cwd, env, outputBytes, limited.signal);
		limited.signal.throwIfAborted();
		return output;
	} finally {
		limited.dispose();
	}
}

function collectGitOutput(
	program: string,
	args: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>>,
	maxBytes: number,
	signal: AbortSignal,
): Promise<GitOutput> {
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, {
			cwd,
			env,
			shell: false,
			detached: process.platform !== 'win32',
			stdio: ['ignore', 'pipe', 'pipe'],
			windowsHide: true,
		});
		const out: Buffer[] = [];
		let outBytes = 0;
		let stderr = '';
		const killGitGroup = () => {
			if (child.pid !== undefined) {
				signalGroup(child.pid, 'SIGKILL');
			}
		};
		signal.addEventListener('abort', killGitGroup, { once: true });
		child.stdout.on('data', (chunk: Buffer) => {
			outBytes += chunk.length;
			if (outBytes - chunk.length < maxBytes) {
				out.push(chunk);
			} else {
				killGitGroup();
			}
		});
		child.stderr.on('data', (chunk: Buffer) => {
			stderr = (stderr + chunk.toString('utf8')).slice(0, GIT_ERROR_BYTES);
		});
		child.once('error', (error) => {
			signal.removeEventListener('abort', killGitGroup);
			const message = `cannot start git: ${error.message}`;
			reject(
				new ProwessError(
					'COMMAND_FAILED_TO_START',
					message,
					{ errno: findErrno(error) ?? null, said: text('Git could not be started: {why}', { why: error.message }) },
					error,
				),
			);
		});
		child.once('close', (exitCode) => {
			signal.removeEventListener('abort', killGitGroup);
			const stdout = Buffer.concat(out);
			resolve({
				exitCode,
				stdout: stdout.subarray(0, maxBytes),
				truncated: outBytes > maxBytes,
				stderr: stderr.trim(),
			});
		});
	});
}
