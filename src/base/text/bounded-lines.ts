/** Cuts bytes into lines of a bounded length, however they come, and holds no more than that of an unfinished one. */

const LINE_END_BYTE = 0x0a;
/** Pieces of one line that are kept apart. */
const MAX_LINE_PIECES = 1_000;

interface BoundedLinesOptions {
	readonly maxBytes: number;
	/** Without its end. False: read no further. */
	readonly onLine: (line: Uint8Array) => boolean;
	/** Called when a line is longer than the limit; nothing more is read. */
	readonly onTooLong: () => void;
}

export class BoundedLines {
	readonly #options: BoundedLinesOptions;
	#begun: Uint8Array[] = [];
	#bytes = 0;
	#isOver = false;

	constructor(options: BoundedLinesOptions) {
		this.#options = options;
	}

	push(bytes: Uint8Array): void {
		let from = 0;
		for (
			let end = bytes.indexOf(LINE_END_BYTE);
			end !== -1 && !this.#isOver;
			end = bytes.indexOf(LINE_END_BYTE, from)
		) {
			this.#keep(bytes.subarray(from, end));
			from = end + 1;
			if (!this.#isOver) this.#isOver = !this.#options.onLine(this.#take());
		}
		if (!this.#isOver) this.#keep(bytes.subarray(from));
	}

	#keep(piece: Uint8Array): void {
		this.#bytes += piece.length;
		if (this.#bytes > this.#options.maxBytes) {
			this.#isOver = true;
			this.#begun = [];
			this.#options.onTooLong();
			return;
		}
		if (piece.length > 0) this.#begun.push(piece);
		if (this.#begun.length > MAX_LINE_PIECES) this.#begun = [joinPieces(this.#begun, this.#bytes)];
	}

	#take(): Uint8Array {
		const line = joinPieces(this.#begun, this.#bytes);
		this.#begun = [];
		this.#bytes = 0;
		return line;
	}
}

function joinPieces(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
	if (pieces.length === 1 && pieces[0] !== undefined) return pieces[0];
	const all = new Uint8Array(bytes);
	let at = 0;
	for (const piece of pieces) {
		all.set(piece, at);
		at += piece.length;
	}
	return all;
}
