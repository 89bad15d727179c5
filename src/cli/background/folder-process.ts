/**
 * The process that works on one folder: the command line once more. The process ends when its standard input does, so
 * it never outlives the background host, and a failure in one folder harms no other. Keys come as the first line of its
 * input.
 */
import { parseJsonOrUndefined } from '../../base/text/lenient.ts';
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { BoundedLines } from '../../base/text/bounded-lines.ts';
import { EndedWork } from '../../protocol/background.ts';
import { installation } from '../home/installation.ts';
import { backgroundWorkLimits } from './limits.ts';

export interface FolderProcess {
	readonly pid: number;
	/** Resolves with its exit code, null where a signal ended it, or -1 where it did not start. Never rejects. */
	readonly ended: Promise<number | null>;
	/** Asks it to stop what it does, and to end. */
	stop(): void;
	kill(): void;
}

interface FolderProcessOptions {
	/** Real path of a folder that is trusted. */
	readonly folder: string;
	/** True: for the jobs of the folder, in place of what is due there. */
	readonly isForJobs: boolean;
	/** Options of the command line that it is to have, too. */
	readonly options: readonly string[];
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Keys by the names of their variables. */
	readonly keys: Readonly<Record<string, string>>;
	onEnded(work: EndedWork): void;
	/** Receives what the process says about itself on standard error, and why it did not start. */
	onSaid(text: string): void;
}

export function startFolderProcess({
	folder,
	isForJobs,
	options,
	environment,
	keys,
	onEnded,
	onSaid,
}: FolderProcessOptions): FolderProcess {
	const child = spawn(
		process.execPath,
		[installation.cli, 'serve', 'folder', folder, ...(isForJobs ? ['--jobs'] : []), ...options],
		{
			// Not the workspace: whatever lies there decides nothing about our process.
			cwd: dirname(installation.cli),
			env: environment,
			stdio: ['pipe', 'pipe', 'pipe'],
		},
	);
	const { promise: ended, resolve } = Promise.withResolvers<number | null>();
	child.once('close', (code) => resolve(code));
	child.once('error', (error) => {
		onSaid(`${folder}: ${error.message}\n`);
		resolve(-1);
	});
	child.stdin.on('error', () => {
		// Ignore the error: the process has ended, which its end reports.
	});
	child.stdin.write(`${JSON.stringify(keys)}\n`);
	child.stderr.setEncoding('utf8').on('data', onSaid);
	const lines = new BoundedLines({
		maxBytes: backgroundWorkLimits.lineBytes,
		onLine(line) {
			const work = EndedWork.safeParse(parseJsonOrUndefined(Buffer.from(line).toString('utf8')));
			if (work.success) onEnded(work.data);
			return true;
		},
		onTooLong: () => child.kill('SIGKILL'),
	});
	child.stdout.on('data', (bytes: Buffer) => lines.push(bytes));
	return { pid: child.pid ?? 0, ended, stop: () => child.stdin.end(), kill: () => void child.kill('SIGKILL') };
}
