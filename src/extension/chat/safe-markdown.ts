/** Words of a model as Markdown in which no picture is fetched from anywhere: its address could tell what was read. */
export class SafeMarkdown {
	/** Last characters, of which it is not known yet what follows. */
	#held = '';

	next(text: string): string {
		const all = this.#held + text;
		this.#held = /\\*!?$/.exec(all)?.[0] ?? '';
		const whole = all.slice(0, all.length - this.#held.length);
		// Behind an odd number of backslashes it is no picture; one more would make it one.
		return whole.replaceAll(/(\\*)!\[/g, (picture, { length }: string) =>
			length % 2 === 1 ? picture : `\\${picture}`,
		);
	}

	rest(): string {
		const held = this.#held;
		this.#held = '';
		return held;
	}
}
