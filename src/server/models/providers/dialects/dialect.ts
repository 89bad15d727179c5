/** Request and answer format of a vendor. The transport is the same for all: `stream-dialect.ts`. */
import type { ModelRequest } from '../../model-port.ts';
import type { AnswerParts } from '../answer-parts.ts';
import type { JsonObject } from '../loose-json.ts';
import type { Endpoint } from '../vendor.ts';

/** Something in a request that some models refuse: it is left out when the endpoint says so, and from then on. */
export interface OptionalParameter {
	readonly name: string;
	/** Words of a refusal that mean it. */
	readonly refusedBy: RegExp;
	/** True when the parameter asks for an effort: a model that refuses one effort may take another. */
	readonly isEffort?: true;
}

/** Reads an answer as it comes. Skips unknown events, blocks and deltas: vendors add them at any time. */
export interface AnswerReader {
	/** `event` is one JSON object of the stream. Throws what it says went wrong. */
	take(event: JsonObject): void;
	/** The stream is over, `isDone`: as it said itself. Throws STREAM_CUT, where the answer is not. */
	end(isDone: boolean): void;
}

export interface Dialect {
	/** Format of the JSON objects in the stream: server-sent events, or one object on each line. Default: events. */
	readonly framing?: 'events' | 'lines';
	/** Address below which it is asked, of the base URL; absent: that itself. */
	root?(baseUrl: string): string;
	/** Below that address. */
	path(modelId: string): string;
	/** The same request gives the same bytes: the vendors' caches depend on it. */
	body(request: ModelRequest, endpoint: Endpoint, leftOut: ReadonlySet<string>): JsonObject;
	readonly optional: readonly OptionalParameter[];
	/**
	 * Returns true when `tokens` of output are more than the dialect asks for by itself. Absent: the dialect asks for
	 * no limit.
	 */
	raises?(tokens: number, modelId: string): boolean;
	reader(answer: AnswerParts, endpoint: Endpoint): AnswerReader;
}
