/**
 * Node's own channel to a child, where a WebSocket over a descriptor does not work. The executor's end is Node's; ours reads
 * the lines itself: Node's reading end keeps a line in memory however long it is, and ends the host at one that is no JSON.
 */
import { isUtf8 } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { frameLimits, IPC_PING, IPC_PONG, ipcOpening } from '../../../protocol/execution/execution.ts';
import type { ExecutorWire, WireEvents } from './executor-wire.ts';

const IPC_LINE_END = 0x0a;
/** Pieces of one line that are kept apart. */
const MAX_IPC_LINE_PIECES = 1_000;
const PING = JSON.stringify(IPC_PING);
const PONG = JSON.stringify(IPC_PONG);

export class IpcWire implements ExecutorWire {
	readonly #socket: Socket;
	readonly #opening: Buffer;
	#events: WireEvents | undefined;
	/** The beginning of a line. */
	#begun: Buffer[] = [];
	#begunBytes = 0;
	#isOpen = false;
	#isOver = false;

	constructor(socket: Socket, token: string) {
		this.#socket = socket;
		this.#opening = hashOpening(JSON.stringify(ipcOpening(token)));
		this.#write(JSON.stringify(token));
	}

	get unreadBytes(): number {
		return this.#socket.writableLength;
	}

	follow(events: WireEvents): void {
		this.#events = events;
		this.#socket.on('data', (bytes: Buffer) => this.#read(bytes));
		this.#socket.once('close', () => events.onClosed());
	}

	send(text: string): void {
		this.#write(text);
	}

	ping(): void {
		this.#write(PING);
	}

	pong(): void {
		this.#write(PONG);
	}

	pause(): void {
		this.#socket.pause();
	}

	resume(): void {
		this.#socket.resume();
	}

	close(): void {
		this.#isOver = true;
		this.#socket.destroySoon();
	}

	#write(line: string): void {
		if (this.#socket.writable) this.#socket.write(`${line}\n`);
	}

	#read(bytes: Buffer): void {
		let from = 0;
		for (let end = bytes.indexOf(IPC_LINE_END); end !== -1 && !this.#isOver; end = bytes.indexOf(IPC_LINE_END, from)) {
			this.#keep(bytes.subarray(from, end));
			const line = Buffer.concat(this.#begun);
			this.#begun = [];
			this.#begunBytes = 0;
			if (!this.#isOver) this.#take(line);
			from = end + 1;
		}
		if (!this.#isOver) this.#keep(bytes.subarray(from));
	}

	#keep(bytes: Buffer): void {
		this.#begunBytes += bytes.length;
		if (this.#begunBytes > frameLimits.bytes) this.#fault('Max payload size exceeded');
		else if (bytes.length > 0) this.#begun.push(bytes);
		if (this.#begun.length > MAX_IPC_LINE_PIECES) this.#begun = [Buffer.concat(this.#begun)];
	}

	#take(line: Buffer): void {
		if (!this.#isOpen) {
			if (timingSafeEqual(hashOpening(line), this.#opening)) {
				this.#isOpen = true;
				this.#events?.onOpen();
			} else {
				this.#fault('a request without the token');
			}
		} else if (line.equals(Buffer.from(PING)) || line.equals(Buffer.from(PONG))) {
			this.#events?.onReceived({ data: Buffer.alloc(0), ping: line.equals(Buffer.from(PING)) });
		} else if (!isUtf8(line)) {
			this.#fault('Invalid UTF-8 sequence');
		} else {
			this.#events?.onReceived({ data: line, isBinary: false });
		}
	}

	#fault(problem: string): void {
		this.#isOver = true;
		this.#events?.onFault(problem);
	}
}

function hashOpening(text: string | Buffer): Buffer {
	return createHash('sha256').update(text).digest();
}
