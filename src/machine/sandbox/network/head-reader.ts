/** Reads the beginning of what a socket says, piece by piece, and gives back the rest: it is for somebody else. */
import type { Socket } from 'node:net';

export class HeadReader {
	readonly #socket: Socket;
	readonly #maxBytes: number;
	#held: Buffer = Buffer.alloc(0);
	#taken = 0;

	constructor(socket: Socket, maxBytes: number) {
		this.#socket = socket;
		this.#maxBytes = maxBytes;
	}

	/** Each of these rejects when the socket ends before, or has said more than the most. */
	async peek(count: number): Promise<Buffer> {
		while (this.#held.length < count) await this.#readMore();
		return this.#held.subarray(0, count);
	}

	async take(count: number): Promise<Buffer> {
		const bytes = await this.peek(count);
		this.#drop(count);
		return bytes;
	}

	async takeThrough(mark: string): Promise<Buffer> {
		let at = this.#held.indexOf(mark);
		while (at < 0) {
			// Continue the search where it ended, so that input in single bytes is not searched from its beginning each
			// time.
			const searched = Math.max(0, this.#held.length - mark.length);
			await this.#readMore();
			at = this.#held.indexOf(mark, searched);
		}
		return await this.take(at + mark.length);
	}

	giveBack(): void {
		if (this.#held.length > 0) {
			this.#socket.unshift(this.#held);
			this.#drop(this.#held.length);
		}
	}

	#drop(count: number): void {
		this.#taken += count;
		this.#held = this.#held.subarray(count);
	}

	async #readMore(): Promise<void> {
		const piece = (this.#socket.read() as Buffer | null) ?? (await this.#nextPiece());
		this.#held = Buffer.concat([this.#held, piece]);
		if (this.#taken + this.#held.length > this.#maxBytes) {
			throw new Error(`a request to the proxy begins with more than ${this.#maxBytes} bytes`);
		}
	}

	#nextPiece(): Promise<Buffer> {
		const socket = this.#socket;
		return new Promise((resolve, reject) => {
			const settleRead = (end: () => void) => {
				socket.off('readable', readPiece).off('end', rejectEarlyEnd).off('close', rejectEarlyEnd);
				end();
			};
			const readPiece = () => {
				const piece = socket.read() as Buffer | null;
				if (piece !== null) settleRead(() => resolve(piece));
			};
			const rejectEarlyEnd = () =>
				settleRead(() => reject(new Error('a client of the proxy went before it had asked')));
			socket.on('readable', readPiece).on('end', rejectEarlyEnd).on('close', rejectEarlyEnd);
			if (socket.destroyed || socket.readableEnded) rejectEarlyEnd();
		});
	}
}
