/** The last of what a process printed, without what steers a terminal, in bounded memory. */
import { TextDecoder } from 'node:util';
import type { Readable } from 'node:stream';
import { KeyLines } from '../../machine/secrets/key-lines.ts';
import { TerminalScreen } from '../../machine/shell/terminal-screen.ts';

export class OutputRing {
	readonly #limit: number;
	#pieces: string[] = [];
	#chars = 0;

	constructor(limit: number) {
		this.#limit = limit;
	}

	get text(): string {
		return this.#pieces.join('').slice(-this.#limit).toWellFormed();
	}

	/** Reads it to its end; it is never left full, or its process would stand still. */
	readFrom(stream: Readable): void {
		const decoder = new TextDecoder();
		const terminal = new TerminalScreen();
		// Here, for only its end is kept.
		const keys = new KeyLines();
		stream.on('data', (bytes: Buffer) => this.add(keys.push(terminal.push(decoder.decode(bytes, { stream: true })))));
		stream.on('end', () => this.add(keys.push(terminal.push(decoder.decode()) + terminal.end()) + keys.end()));
		// A pipe that breaks is at its end.
		stream.on('error', () => undefined);
	}

	/** Words of our own among them. */
	add(text: string): void {
		this.#pieces.push(text);
		this.#chars += text.length;
		if (this.#chars > 2 * this.#limit || this.#pieces.length > 1_000) {
			// A copy, so that no piece keeps the chunk alive that it was cut from.
			const kept = Buffer.from(this.text, 'utf16le').toString('utf16le');
			this.#pieces = [kept];
			this.#chars = kept.length;
		}
	}
}
