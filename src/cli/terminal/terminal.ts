/**
 * Where the CLI reads and writes. A reader that goes away (`prowess … | head`) is not an error: it is told to whoever
 * listens, and what is written afterwards is dropped.
 */
import type { Readable, Writable } from 'node:stream';
import { Emitter } from '../../base/emitter.ts';
import { TypedLines } from './typed-lines.ts';
import { escapeControls } from './visible.ts';

interface TerminalStreams {
	readonly stdin: Readable & { readonly isTTY?: boolean };
	readonly stdout: Writable & { readonly isTTY?: boolean };
	readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** Colours of lines of a diff, by their beginnings: names of files are tried before added and removed lines. */
const COLOURS = [
	['+++', 1],
	['---', 1],
	['@@', 36],
	['+', 32],
	['-', 31],
] as const;

export class Terminal {
	readonly stdin: TerminalStreams['stdin'];
	/** Lines that a person types, unless somebody reads all of the input. */
	readonly lines: TypedLines;
	readonly #stdout: TerminalStreams['stdout'];
	readonly #stderr: TerminalStreams['stderr'];
	readonly #env: NodeJS.ProcessEnv;
	readonly #closed = new Emitter<void>();
	#isClosed = false;

	constructor({ stdin, stdout, stderr }: TerminalStreams, env: NodeJS.ProcessEnv = process.env) {
		this.#env = env;
		this.stdin = stdin;
		this.lines = new TypedLines(stdin);
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

	/** A person reads standard output, not a program. */
	get isOutScreen(): boolean {
		return this.#stdout.isTTY === true;
	}

	get showsStatus(): boolean {
		return this.#stderr.isTTY === true;
	}

	/** Prints the result that was asked for: raw into files and pipes, harmless on a screen. */
	out(text: string): void {
		if (!this.#isClosed) {
			this.#stdout.write(this.#stdout.isTTY === true ? escapeControls(text) : text);
		}
	}

	/** Prints messages about the result on standard error. */
	err(text: string): void {
		this.#stderr.write(escapeControls(text));
	}

	/** Says a diff, `inset` before each line: in colours on a screen, unless the user wants none (https://no-color.org). */
	errDiff(patch: string, inset: string): void {
		const hasColours = this.#stderr.isTTY === true && this.#takesColours;
		for (const line of patch.split('\n')) {
			const safe = escapeControls(line);
			const colour = hasColours ? COLOURS.find(([begins]) => safe.startsWith(begins))?.[1] : undefined;
			this.#stderr.write(`${inset}${colour === undefined ? safe : `\u001b[${colour}m${safe}\u001b[0m`}\n`);
		}
	}

	/** Prints a picture of half blocks, black on white whatever the colours of the screen; nothing where a screen has no colours. */
	outBlocks(rows: readonly string[]): void {
		if (this.#isClosed || this.#stdout.isTTY !== true || !this.#takesColours) return;
		this.#stdout.write(rows.map((row) => `\u001b[38;5;16;48;5;231m${row}\u001b[0m\n`).join(''));
	}

	get #takesColours(): boolean {
		return (this.#env['NO_COLOR'] ?? '') === '' && this.#env['TERM'] !== 'dumb';
	}

	/** Resolves when all that was written has gone out, or nobody takes it. */
	async flush(): Promise<void> {
		await Promise.all([this.#stdout, this.#stderr].map((stream) => waitUntilWritten(stream)));
	}
}

function waitUntilWritten(stream: Writable): Promise<void> {
	if (stream.destroyed || stream.errored !== null || !stream.writable) {
		return Promise.resolve();
	}
	return new Promise((resolve) => {
		stream.write('', () => resolve());
	});
}
