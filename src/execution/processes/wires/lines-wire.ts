/**
 * JSON objects, each on a line of its own, over standard input and output: the wire of long-lived workers. No pings.
 */
import { isUtf8 } from 'node:buffer';
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { BoundedLines } from '../../../base/text/bounded-lines.ts';
import { MAX_LINE_BYTES } from '../../../protocol/execution/worker.ts';
import type { ExecutorWire, WireEvents } from './executor-wire.ts';

export class LinesWire implements ExecutorWire {
	readonly #input: Writable;
	readonly #output: Readable;
	#isOver = false;

	/** Wraps a process that has pipes at its input and output. */
	constructor({ stdin, stdout }: ChildProcess) {
		this.#input = stdin as Writable;
		this.#output = stdout as Readable;
		// A worker that is gone is noticed by its end.
		this.#input.on('error', () => undefined);
		this.#output.on('error', () => undefined);
	}

	get unreadBytes(): number {
		return this.#input.writableLength;
	}

	follow(events: WireEvents): void {
		const reportFault = (problem: string) => {
			this.#isOver = true;
			events.onFault(problem);
		};
		const lines = new BoundedLines({
			maxBytes: MAX_LINE_BYTES,
			onLine: (line) => {
				if (this.#isOver) return false;
				const data = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
				if (isUtf8(data)) events.onReceived({ data, isBinary: false });
				else reportFault('not UTF-8');
				return !this.#isOver;
			},
			onTooLong: () => reportFault(`longer than ${MAX_LINE_BYTES} bytes`),
		});
		this.#output.on('data', (bytes: Buffer) => {
			if (!this.#isOver) lines.push(bytes);
		});
		this.#output.once('close', () => events.onClosed());
		events.onOpen();
	}

	send(text: string): void {
		if (this.#input.writable) this.#input.write(`${text}\n`);
	}

	ping(): void {}

	pong(): void {}

	pause(): void {
		this.#output.pause();
	}

	resume(): void {
		this.#output.resume();
	}

	/** At the end of its input it ends by itself. */
	close(): void {
		this.#isOver = true;
		this.#input.end();
	}
}
