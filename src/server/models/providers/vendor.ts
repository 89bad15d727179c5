/** What every vendor file offers. Types only: importing this loads no vendor's code. */
import type { Calls, Effort, ProviderKind } from '../../../protocol/models.ts';
import type { ImageData } from '../images.ts';
import type { ModelPart, ModelRequest } from '../model-port.ts';
import type { StreamLimits } from '../limits.ts';
import type { Refusals } from '../streams/refusals.ts';
import type { JsonObject } from './loose-json.ts';

/** One model behind one address, with the key for this one request. */
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
	/** How it calls tools, as the user says; absent: by itself, until it refuses. */
	readonly calls?: Calls | undefined;
	/** Context that a model server is to run the model with, in tokens; only Ollama can be told. */
	readonly window?: number | undefined;
	/** Whether it takes pictures, as the user says or as is known; absent: until it refuses. */
	readonly images?: boolean | undefined;
	readonly imageData: ImageData;
	/** What it and others have refused before. */
	readonly refusals: Refusals;
	/** Gets the first event of an answer. */
	readonly onFirstEvent?: ((event: JsonObject) => void) | undefined;
	/** Of the user's own. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
}

export type StreamModel = (
	endpoint: Endpoint,
	request: ModelRequest,
	signal: AbortSignal,
) => AsyncGenerator<ModelPart, void, undefined>;
