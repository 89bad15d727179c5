/** Interface of every vendor file. Types only: importing this file loads no vendor's code. */
import type { ToolCallStyle, Effort, ProviderKind } from '../../../protocol/turn/models.ts';
import type { ImageData } from '../images.ts';
import type { ModelPart, ModelRequest } from '../model-port.ts';
import type { StreamLimits } from '../limits.ts';
import type { Refusals } from '../streams/refusals.ts';
import type { JsonObject } from './loose-json.ts';

/** A model behind an address, with the key for a single request. */
export interface Endpoint {
	readonly kind: ProviderKind;
	readonly providerId: string;
	readonly modelId: string;
	readonly baseUrl: string;
	/** Null: the endpoint wants none. */
	readonly key: string | null;
	readonly limits: StreamLimits;
	/** Absent: as the model does it by itself. */
	readonly effort?: Effort | undefined;
	/**
	 * Form of the model's tool calls, as the user has set it; absent: the vendor's own form, until the endpoint refuses
	 * it.
	 */
	readonly calls?: ToolCallStyle | undefined;
	/** Context that a model server is to run the model with, in tokens; only Ollama can be told. */
	readonly window?: number | undefined;
	/**
	 * True when the model takes pictures, as the user has set or as is known; absent: pictures are sent until the
	 * endpoint refuses them.
	 */
	readonly images?: boolean | undefined;
	readonly imageData: ImageData;
	/** Earlier refusals of this endpoint and others. */
	readonly refusals: Refusals;
	/** Gets the first event of an answer. */
	readonly onFirstEvent?: ((event: JsonObject) => void) | undefined;
	/** Headers that the user has set. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
}

export type StreamModel = (
	endpoint: Endpoint,
	request: ModelRequest,
	signal: AbortSignal,
) => AsyncGenerator<ModelPart, void, undefined>;
