/**
 * Counts fields of frames in which a sender claims who it is. Such fields are dropped; they are reported at the first
 * one and, if there were several, by number at the end.
 */
export class ForgedClaims {
	readonly #tell: (what: string) => void;
	#count = 0;

	constructor(tell: (what: string) => void) {
		this.#tell = tell;
	}

	add(names: readonly string[]): void {
		if (this.#count === 0) {
			this.#tell(`a frame says about itself: ${names.join(', ')}; dropped`);
		}
		this.#count += names.length;
	}

	end(): void {
		if (this.#count > 1) {
			this.#tell(`${this.#count} fields about itself in all, dropped`);
		}
	}
}
