/** SQL in a process of its own, one for each op: a query without end is ended with it, and it cannot hold up the host. */
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { SQL_HEAP_MB, SQL_RESULT_CHARS } from './limits.ts';
import type { SqlAnswer, SqlJob } from './run-sql.ts';

/** A capability without a sandbox can send signals: SIGUSR1 would open a debugger, by which it could do all that we can. */
const SQL_PROCESS_FLAGS: readonly string[] = [
	...['--no-warnings', `--max-old-space-size=${SQL_HEAP_MB}`, '--disable-proto=delete'],
	...['--disable-sigusr1'].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag)),
];

export class SqlRunner {
	readonly #program: string;

	constructor(program: URL) {
		this.#program = fileURLToPath(program);
	}

	/** `path` is for messages. */
	async run(job: SqlJob, path: string, signal: AbortSignal): Promise<Exclude<SqlAnswer, { kind: 'error' | 'moved' }>> {
		signal.throwIfAborted();
		const said = await this.#answer(JSON.stringify(job), path, signal);
		const answer = parseSqlAnswer(said);
		if (answer === undefined) {
			throw new ProwessError('SQL_ERROR', `${path}: the process that runs SQL ended without an answer`, {
				path,
				said: text('The database {path} could not be used: {why}', {
					path,
					why: text('The process that runs SQL ended without an answer.'),
				}),
			});
		}
		if (answer.kind === 'moved') {
			const message = `${path} or a file beside it was replaced by a link while it was opened`;
			throw new ProwessError('FILE_CHANGED', message, { path });
		}
		if (answer.kind === 'error') {
			throw new ProwessError('SQL_ERROR', `${path}: ${answer.message}`, {
				path,
				said: text('The database {path} could not be used: {why}', { path, why: answer.message }),
			});
		}
		return answer;
	}

	#answer(input: string, path: string, signal: AbortSignal): Promise<string> {
		return new Promise((resolve, reject) => {
			const child = spawn(process.execPath, [...SQL_PROCESS_FLAGS, this.#program], {
				// Pass none of the host's environment; in an editor, its own program is Node only when told so.
				env: { ELECTRON_RUN_AS_NODE: '1', ...onWindows() },
				cwd: dirname(this.#program),
				stdio: ['pipe', 'pipe', 'ignore'],
				windowsHide: true,
			});
			const stop = () => void child.kill('SIGKILL');
			const pieces: Buffer[] = [];
			let size = 0;
			child.stdout.on('data', (piece: Buffer) => {
				size += piece.length;
				if (size > 8 * SQL_RESULT_CHARS) {
					stop();
				} else {
					pieces.push(piece);
				}
			});
			child.once('error', (error) => {
				signal.removeEventListener('abort', stop);
				reject(
					new ProwessError(
						'SQL_ERROR',
						`${path}: SQL cannot be run here: ${error.message}`,
						{ path, said: text('The database {path} could not be used: {why}', { path, why: error.message }) },
						error,
					),
				);
			});
			child.once('close', () => {
				signal.removeEventListener('abort', stop);
				if (signal.aborted) {
					reject(signal.reason as Error);
				} else {
					resolve(Buffer.concat(pieces).toString('utf8'));
				}
			});
			// The child may end before it has read all its input; its end says why.
			child.stdin.on('error', () => {});
			child.stdin.end(input);
			signal.addEventListener('abort', stop, { once: true });
		});
	}
}

function parseSqlAnswer(text: string): SqlAnswer | undefined {
	try {
		return JSON.parse(text) as SqlAnswer;
	} catch {
		// The answer is incomplete: the system ended the child, or it ran out of memory.
		return undefined;
	}
}

function onWindows(): Record<string, string> {
	const root = process.env['SYSTEMROOT'];
	return root === undefined ? {} : { SYSTEMROOT: root };
}
