/** Last lines that a server wrote to its error output, and what was noted about it; redacted before anybody reads them. */
import { LOG_CHARS } from '../limits.ts';

export class ServerLog {
	readonly #redact: (text: string) => string;
	#text = '';

	constructor(redact: (text: string) => string) {
		this.#redact = redact;
	}

	add(text: string): void {
		this.#text = (this.#text + text).slice(-LOG_CHARS);
	}

	/** A line of the host itself, with the time. */
	note(line: string): void {
		this.add(`${this.#text === '' || this.#text.endsWith('\n') ? '' : '\n'}[${new Date().toISOString()}] ${line}\n`);
	}

	get text(): string {
		return this.#redact(this.#text);
	}

	/** Returns the last characters of the log, for an error. */
	tail(chars: number): string {
		return this.text.trimEnd().slice(-chars);
	}
}
