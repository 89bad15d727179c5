/** Every wait and every bound of cassettes and replays, named. */
export const replayLimits = {
	/** Bytes of one cassette; a recording that is longer stops, and says so in the cassette. */
	cassetteBytes: 64_000_000,
	/** Cassettes that are kept; the oldest goes when one more is recorded. */
	keptCassettes: 50,
	/** Characters from which a text is stored once, by its hash, and named where it stands. */
	storedTextChars: 200,
	/** Items of a thread that are compared at the end. */
	comparedItems: 1_000,
	/** Rows of the ledger of one thread. */
	ledgerRows: 10_000,
	/** Longer than the recording took from step to step, before a replay that does nothing more is given up. */
	stuckMs: 10_000,
	/** Lines that the difference of two texts shows around its first one. */
	shownLines: 3,
	/** Characters that it shows of a line. */
	shownChars: 300,
} as const;
