/** The JSON objects of a stream that writes one on each line, and says with `done` which is the last. */
import { modelLimits } from '../limits.ts';
import { NoJson, parseEventJson } from './event-stream.ts';
import { type JsonObject, objectOrEmpty } from './loose-json.ts';

export class LineStream {
	/** The stream has said that it is done. */
	isDone = false;
	readonly #decoder = new TextDecoder();
	readonly #onEvent: (event: JsonObject) => void;
	#rest = '';

	/** Creates a stream whose `onEvent` may throw; `feed` and `end` pass its errors on. */
	constructor(onEvent: (event: JsonObject) => void) {
		this.#onEvent = onEvent;
	}

	feed(bytes: Uint8Array): void {
		const lines = this.#decoder.decode(bytes, { stream: true }).split('\n');
		lines[0] = this.#rest + (lines[0] ?? '');
		this.#rest = lines.pop() ?? '';
		for (const line of lines) {
			this.#take(line);
		}
		if (this.#rest.length > modelLimits.maxEventChars) {
			throw new NoJson(`a line has more than ${modelLimits.maxEventChars} characters`);
		}
	}

	/** A line without its end counts as well. */
	end(): void {
		this.#take(this.#rest + this.#decoder.decode());
		this.#rest = '';
	}

	#take(line: string): void {
		if (this.isDone || line.trim() === '') {
			return;
		}
		const event = objectOrEmpty(parseEventJson(line));
		this.#onEvent(event);
		this.isDone = event['done'] === true;
	}
}
