/** An open code fence that grows: each line is looked at once, and finished lines are kept in chunks that never change. */
const FENCE_LINES_PER_CHUNK = 40;
/** Enough text for a chunk of its own, and more than one should hold: each costs the same however short its lines are. */
const CHUNK_LENGTH = { least: 1_000, most: 8_000, broken: 16_000 } as const;

export interface Fence {
	readonly language: string;
	/** Finished chunks of lines. */
	readonly chunks: readonly string[];
	/** The lines of the chunk that is not yet full. */
	readonly rest: string;
}

export class FenceReader {
	readonly language: string;
	readonly #closing: RegExp;
	readonly #indent: number;
	#chunks: readonly string[] = [];
	#lines: string[] = [];
	#length = 0;

	private constructor(marker: string, language: string, indent: number) {
		this.language = language;
		this.#indent = indent;
		this.#closing = new RegExp(`^ {0,3}${marker[0] === '~' ? '~' : '`'}{${marker.length},}[ \\t]*$`);
	}

	/** A reader if the line opens a fence. */
	static open(line: string): FenceReader | undefined {
		const match = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line);
		if (match === null) {
			return undefined;
		}
		const [, indent = '', marker = '', info = ''] = match;
		return new FenceReader(marker, info.trim().split(/\s/)[0] ?? '', indent.length);
	}

	/** Takes one whole line without its end; true when it closes the fence. */
	take(line: string): boolean {
		if (this.#closing.test(line)) {
			return true;
		}
		const text = this.#unindented(line);
		this.#lines.push(text);
		this.#length += text.length + 1;
		const isLong = this.#lines.length >= FENCE_LINES_PER_CHUNK && this.#length >= CHUNK_LENGTH.least;
		if (isLong || this.#length >= CHUNK_LENGTH.most) {
			this.#chunks = [...this.#chunks, ...inPieces(`${this.#lines.join('\n')}\n`)];
			this.#lines = [];
			this.#length = 0;
		}
		return false;
	}

	/** With a last line that is still being written. */
	read(unfinishedLine: string | undefined): Fence {
		const isClosing = unfinishedLine !== undefined && /^ {0,3}(`+|~+)[ \t]*$/.test(unfinishedLine);
		const last = unfinishedLine === undefined || isClosing ? [] : [this.#unindented(unfinishedLine)];
		const pieces = inPieces([...this.#lines, ...last].join('\n'));
		const rest = pieces.pop() ?? '';
		const chunks = pieces.length === 0 ? this.#chunks : [...this.#chunks, ...pieces];
		return { language: this.language, chunks, rest };
	}

	#unindented(line: string): string {
		let cut = 0;
		while (cut < this.#indent && line[cut] === ' ') {
			cut += 1;
		}
		return line.slice(cut);
	}
}

/** A line that is longer than a chunk is broken where it is drawn; what is copied stays whole. */
function inPieces(text: string): string[] {
	const count = Math.ceil(text.length / CHUNK_LENGTH.broken);
	const computePieceStart = (index: number) => index * CHUNK_LENGTH.broken;
	return Array.from({ length: count }, (_, index) =>
		text.slice(computePieceStart(index), computePieceStart(index + 1)),
	);
}
