/** A text with LF only, in which edits are found, and where each of its places lies in the text as it is: line ends may be mixed. */
export class LineEnds {
	/** With LF in the place of CRLF. */
	readonly lf: string;
	/** End of most lines: that of new ones. */
	readonly usual: '\n' | '\r\n';
	/** Places in `lf` of the ends that are CRLF, in order. */
	readonly #crlf: readonly number[];
	readonly #text: string;

	constructor(text: string) {
		this.#text = text;
		const crlf: number[] = [];
		for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) {
			crlf.push(at - crlf.length);
		}
		this.lf = toLf(text);
		this.#crlf = crlf;
		this.usual = crlf.length > this.lf.split('\n').length - 1 - crlf.length ? '\r\n' : '\n';
	}

	get isMixed(): boolean {
		return this.#crlf.length > 0 && this.#crlf.length < this.lf.split('\n').length - 1;
	}

	/** The text as it is between two places of `lf`. */
	slice(start: number, end = this.lf.length): string {
		return this.#text.slice(this.#placeOf(start), this.#placeOf(end));
	}

	#placeOf(at: number): number {
		let [low, high] = [0, this.#crlf.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.#crlf[middle] ?? 0) < at) {
				low = middle + 1;
			} else {
				high = middle;
			}
		}
		return at + low;
	}
}

/**
 * True for a text as Macs wrote once, where the return alone ends a line. Beside an LF, a return is a character like
 * others.
 */
export function isCrOnly(text: string): boolean {
	return text.includes('\r') && !text.includes('\n');
}

export function toLf(text: string): string {
	return text.replaceAll('\r\n', '\n');
}
