/**
 * Where the CLI reads and writes. A reader that goes away (`prowess … | head`) is not an error: it is told to whoever
 * listens, and what is written afterwards is dropped.
 */
import type { Readable, Writable } from 'node:stream';
import { Emitter } from '../base/emitter.ts';
import { harmless } from './visible.ts';

interface TerminalStreams {
	readonly stdin: Readable & { readonly isTTY?: boolean };
	readonly stdout: Writable & { readonly isTTY?: boolean };
	readonly stderr: Writable & { readonly isTTY?: boolean };
}

export class Terminal {
	readonly stdin: TerminalStreams['stdin'];
	readonly #stdout: TerminalStreams['stdout'];
	readonly #stderr: TerminalStreams['stderr'];
	readonly #closed = new Emitter<void>();
	#isClosed = false;

	constructor({ stdin, stdout, stderr }: TerminalStreams) {
		this.stdin = stdin;
		this.#stdout = stdout;
		this.#stderr = stderr;
		stdout.on('error', () => {
			if (!this.#isClosed) {
				this.#isClosed = true;
				this.#closed.fire();
			}
		});
		stderr.on('error', () => {
			// Nobody reads what we have to say about ourselves; the work goes on.
		});
	}

	/** Nobody reads standard output any more. */
	readonly onDidClose = this.#closed.event;

	get isClosed(): boolean {
		return this.#isClosed;
	}

	/** A person can be asked: questions go to standard error, answers come from standard input. */
	get isInteractive(): boolean {
		return this.stdin.isTTY === true && this.#stderr.isTTY === true;
	}

	get showsStatus(): boolean {
		return this.#stderr.isTTY === true;
	}

	/** What was asked for. Raw into files and pipes, harmless on a screen. */
	out(text: string): void {
		if (!this.#isClosed) {
			this.#stdout.write(this.#stdout.isTTY === true ? harmless(text) : text);
		}
	}

	/** What is said about it. */
	err(text: string): void {
		this.#stderr.write(harmless(text));
	}

	/** Resolves when all that was written has gone out, or nobody takes it. */
	async flush(): Promise<void> {
		await Promise.all([this.#stdout, this.#stderr].map((stream) => written(stream)));
	}
}

function written(stream: Writable): Promise<void> {
	if (stream.destroyed || stream.errored !== null || !stream.writable) {
		return Promise.resolve();
	}
	return new Promise((resolve) => {
		stream.write('', () => resolve());
	});
}
