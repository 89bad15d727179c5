/** Every limit of the models folder. Milliseconds unless the name says otherwise. */

/** Longest waits for the parts of a stream. */
export interface StreamLimits {
	/** From the request to the first part. */
	readonly firstByteMs: number;
	/** Between two parts. */
	readonly idleMs: number;
	/** Keep-alives count as life only this long after the last part. */
	readonly keepAliveMs: number;
}

export const streamLimits: StreamLimits = { firstByteMs: 60_000, idleMs: 45_000, keepAliveMs: 300_000 };

/** A model server on this machine may first have to load the model, and reads a long prompt slowly. */
export const localStreamLimits: StreamLimits = { firstByteMs: 240_000, idleMs: 120_000, keepAliveMs: 300_000 };

/** The editor asks for consent before the first answer, and hands over a tool call only when it is whole. */
export const editorStreamLimits: StreamLimits = { firstByteMs: 600_000, idleMs: 300_000, keepAliveMs: 300_000 };

export const modelLimits = {
	/** Retries after the first attempt: four attempts in all. */
	maxRetries: 3,
	/** First wait; each further one is twice as long. */
	retryBaseMs: 1_000,
	/** An endpoint that asks for more patience is given up. */
	maxRetryAfterMs: 60_000,

	/** Pictures and sounds of results in one request, and their bytes; where there are more, half of it stays. */
	resultImages: 20,
	resultImageBytes: 12 * 1024 * 1024,

	/** `GET /models` of a connected provider. */
	listModelsMs: 5_000,
	/** To name the models that there are, where the wanted one is missing. */
	listForErrorMs: 2_000,
	/** The whole check of a provider before it is saved. */
	checkMs: 15_000,
	/** The editor's list of models. */
	editorModelsMs: 5_000,
	/** The look for a model server on this machine. */
	discoverMs: 1_000,
	/** The question for the window that a model server runs a model with. */
	askWindowMs: 2_000,
	/** Time for which a window that a server has told stays valid when the server cannot be asked again. */
	windowAgeMs: 7 * 24 * 3_600_000,
	/** A smaller one, in tokens, is no answer. */
	leastWindow: 256,
	/** A fresh list of models is not asked for again within this time. */
	modelListAgeMs: 60_000,
	/** Longest wait for a request for embeddings. */
	embedMs: 10_000,
	/** 65 embeddings of 8,192 numbers, written out. */
	maxEmbeddingBytes: 16_000_000,
	/** Bytes of a list of models that are read. */
	maxListBytes: 4_000_000,
	maxListedModels: 1_000,

	/** Longest time, and most bytes, that an answer may go on after its finish before its connection is closed. */
	readOutMs: 1_000,
	maxReadOutBytes: 64_000,

	/** Characters of the arguments of all calls in an answer. */
	maxArgumentChars: 8_000_000,
	/** Characters of one event of a stream. */
	maxEventChars: 32_000_000,
	/** Bytes that are read of an answer that says no. */
	maxRefusalBytes: 64_000,
	/** Characters of a refusal that are kept to tell its meaning. */
	maxRefusalChars: 4_000,

	/** Characters of a provider's own words in an error of ours. */
	maxProviderMessage: 500,
	/** Usage above this is not believed. */
	maxTokens: 100_000_000,
	/** Between two pieces of the tour's text. */
	tourPaceMs: 12,

	/** Weight of the newest answer in how many tokens a model counts for one that we estimate. */
	calibrationWeight: 0.15,
	leastFactor: 0.5,
	mostFactor: 2,
	/** A count so many times off is of something else. */
	farOff: 3,

	/** A key that was asked for before the tools of a turn ran is used for the next request so long; then it is asked for anew. */
	preparedKeyMs: 2_000,

	/**
	 * Context window of a model nobody told us more about. The specification's 200,000 would be refused by most models that are
	 * served under names of their own, or silently cut; too small a number only has older messages leave sooner.
	 */
	defaultContextWindow: 128_000,
} as const;
