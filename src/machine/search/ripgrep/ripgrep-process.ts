/** Runs ripgrep and gives its output record by record, until the reader has enough or the signal aborts. */
import { spawn } from 'node:child_process';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { ENGINE_LINE_BYTES } from '../limits.ts';

interface RipgrepEnd {
	/** Null when we ended it. */
	readonly exitCode: number | null;
	readonly stderr: string;
	/** A record was too long and was passed over. */
	readonly skipped: boolean;
}

export function runRipgrep(
	{ program, args, cwd, env, separator }: RipgrepRun,
	/** False: enough. */
	onRecord: (record: string) => boolean,
	signal: AbortSignal,
): Promise<RipgrepEnd> {
	signal.throwIfAborted();
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, {
			cwd,
			env,
			shell: false,
			stdio: ['ignore', 'pipe', 'pipe'],
			windowsHide: true,
		});
		const records = new Records(separator);
		let stderr = '';
		let enough = false;
		const kill = () => void child.kill('SIGKILL');
		const detach = () => signal.removeEventListener('abort', kill);
		signal.addEventListener('abort', kill, { once: true });
		child.stdout.on('data', (chunk: Buffer) => {
			for (const record of enough ? [] : records.push(chunk)) {
				if (!onRecord(record)) {
					enough = true;
					kill();
					return;
				}
			}
		});
		child.stderr.on('data', (chunk: Buffer) => {
			stderr = (stderr + chunk.toString('utf8')).slice(0, 4000);
		});
		child.once('error', (error) => {
			detach();
			reject(
				new ProwessError(
					'COMMAND_FAILED_TO_START',
					`cannot start ripgrep: ${error.message}`,
					{
						program,
						said: text('The program "{name}" could not be started: {why}', { name: 'ripgrep', why: error.message }),
					},
					error,
				),
			);
		});
		child.once('close', (exitCode) => {
			detach();
			if (signal.aborted) {
				reject(
					signal.reason instanceof Error
						? signal.reason
						: new ProwessError('CANCELLED', 'the search was cancelled', {}),
				);
			} else {
				resolve({ exitCode: enough ? null : exitCode, stderr: stderr.trim(), skipped: records.skipped });
			}
		});
	});
}

interface RipgrepRun {
	readonly program: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/**
	 * Separator of the records: `
	 * ` or NUL.
	 */
	readonly separator: '\n' | '\0';
}

/** Cuts a stream of bytes into records, in bounded memory. */
class Records {
	skipped = false;
	readonly #separator: number;
	#pending: Buffer[] = [];
	#bytes = 0;

	constructor(separator: string) {
		this.#separator = separator.charCodeAt(0);
	}

	*push(chunk: Buffer): Generator<string> {
		let start = 0;
		for (let end = chunk.indexOf(this.#separator); end !== -1; end = chunk.indexOf(this.#separator, start)) {
			this.#keep(chunk.subarray(start, end));
			start = end + 1;
			if (this.#bytes <= ENGINE_LINE_BYTES) {
				yield Buffer.concat(this.#pending).toString('utf8');
			}
			this.#pending = [];
			this.#bytes = 0;
		}
		this.#keep(chunk.subarray(start));
	}

	#keep(part: Buffer): void {
		this.#bytes += part.length;
		if (this.#bytes > ENGINE_LINE_BYTES) {
			this.#pending = [];
			this.skipped = true;
		} else {
			this.#pending.push(part);
		}
	}
}
