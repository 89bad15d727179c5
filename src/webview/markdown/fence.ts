/** An open code fence that grows: each line is looked at once, and finished lines are kept in chunks that never change. */
const LINES_PER_CHUNK = 40;

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
		this.#lines.push(this.#unindented(line));
		if (this.#lines.length === LINES_PER_CHUNK) {
			this.#chunks = [...this.#chunks, `${this.#lines.join('\n')}\n`];
			this.#lines = [];
		}
		return false;
	}

	/** With a last line that is still being written. */
	read(unfinishedLine: string | undefined): Fence {
		const isClosing = unfinishedLine !== undefined && /^ {0,3}(`+|~+)[ \t]*$/.test(unfinishedLine);
		const last = unfinishedLine === undefined || isClosing ? [] : [this.#unindented(unfinishedLine)];
		return { language: this.language, chunks: this.#chunks, rest: [...this.#lines, ...last].join('\n') };
	}

	#unindented(line: string): string {
		let cut = 0;
		while (cut < this.#indent && line[cut] === ' ') {
			cut += 1;
		}
		return line.slice(cut);
	}
}
