/**
 * Reads the JSON objects of an event stream. Ignores everything after `[DONE]`. Text of proxies between the objects is
 * passed over; a stream that has no object at all, or half of one, ends with STREAM_MALFORMED. Figures that JSON has no
 * word for, such as `NaN`, are read as null.
 */
import { createParser } from 'eventsource-parser';
import { modelLimits } from '../limits.ts';
import { RepeatedEvents } from '../streams/repeated-events.ts';
import { type JsonObject, objectOrEmpty } from './loose-json.ts';

export class EventStream {
	/** The stream has said that it is done. */
	isDone = false;
	/** Takes a mark of the byte order away, too. */
	readonly #decoder = new TextDecoder();
	readonly #parser;
	readonly #strays = new StrayTexts();

	/** Both may throw; it comes out of `feed` and `end`. An event counts until the next one: it may be the same object. */
	constructor(onEvent: (event: JsonObject) => void) {
		const events = new RepeatedEvents((text) => objectOrEmpty(parseEventJson(text)));
		this.#parser = createParser({
			maxBufferSize: modelLimits.maxEventChars,
			onError: (error) => {
				if (error.type === 'max-buffer-size-exceeded') {
					throw new NoJson(`an event has more than ${modelLimits.maxEventChars} characters`);
				}
				// A line without the name of a field: some proxies write an error so, in the middle of a stream.
				if (error.type === 'unknown-field' && !this.isDone && /^\s*\{/.test(error.line ?? '')) {
					onEvent(objectOrEmpty(parseEventJson(error.line ?? '')));
				}
			},
			onEvent: ({ data }) => {
				if (this.isDone) {
					return;
				}
				if (data.trim() === '[DONE]') {
					this.isDone = true;
				} else if (data !== '' && !this.#strays.take(data)) {
					const event = events.read(data);
					this.#strays.hasObject = true;
					onEvent(event);
				}
			},
		});
	}

	feed(bytes: Uint8Array): void {
		this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
	}

	/** An event without the empty line after it counts as well. */
	end(): void {
		this.#parser.feed(`${this.#decoder.decode()}\n\n`);
		this.#strays.end();
	}
}

/** Texts among the objects of a stream, such as the signs of life of a proxy. */
class StrayTexts {
	hasObject = false;
	#first: string | undefined;

	/** True for a text that is passed over. Anything that begins as JSON is none: a part of the answer may be in it. */
	take(text: string): boolean {
		const isStray = !/^\s*(?:[{[]\s*["{[\]}]|["\d-]|(?:true|false|null)\s*$)/.test(text);
		this.#first ??= isStray ? text : undefined;
		return isStray;
	}

	/** Throws when nothing else has come. */
	end(): void {
		if (!this.hasObject && this.#first !== undefined) {
			parseEventJson(this.#first);
		}
	}
}

export class NoJson extends Error {}

/** Some endpoints write figures that are none; they cost the figure, not the answer. */
export function parseEventJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch (error) {
		const repaired = text.replaceAll(/(?<=[:,[]\s*)-?(?:NaN|Infinity)(?=\s*[,}\]])/g, 'null');
		try {
			return JSON.parse(repaired) as unknown;
		} catch {
			throw new NoJson(`an event is no JSON (${error instanceof Error ? error.message : String(error)})`);
		}
	}
}

/** The JSON objects of a stream that writes one on each line, and says with `done` which is the last. */
export class LineStream {
	/** The stream has said that it is done. */
	isDone = false;
	readonly #decoder = new TextDecoder();
	readonly #onEvent: (event: JsonObject) => void;
	readonly #strays = new StrayTexts();
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
		this.#strays.end();
	}

	#take(line: string): void {
		if (this.isDone || line.trim() === '' || this.#strays.take(line)) {
			return;
		}
		const event = objectOrEmpty(parseEventJson(line));
		this.#strays.hasObject = true;
		this.#onEvent(event);
		this.isDone = event['done'] === true;
	}
}
