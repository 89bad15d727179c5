/** Limits of what is told about turns to a collector. */
export const telemetryLimits = {
	/** Time limit for reading how a turn went. */
	traceMs: 10_000,
	/** Time limit of one request to the collector. */
	requestMs: 10_000,
	/** Time for all that is left when the host ends. */
	closingMs: 1_000,
	/** Longest pause before a request that failed is made again, and the first one. */
	longestPauseMs: 60_000,
	firstPauseMs: 1_000,
	/** Bytes and requests that wait at most; the oldest are dropped and counted. */
	waitingBytes: 4_000_000,
	waitingRequests: 1_000,
	/** Answer of a collector. */
	answerBytes: 64_000,
	/** Characters of one text, where contents are told. */
	contentChars: 16_000,
	/** Spans of one turn; those beyond are counted in it. */
	spansPerTurn: 1_000,
	/** Turns whose beginning in another turn is remembered. */
	rememberedTurns: 1_000,
} as const;
