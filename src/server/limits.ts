/** Bounds of the server outside `models/`. Milliseconds and characters where the name says so. */
export const limits = {
	/** At most one update per thread in this time; deltas of one item in between become one. */
	updateIntervalMs: 33,
	/** Streamed text is at most this old in the store. */
	journalIntervalMs: 1_000,
	/** Update numbers reserved at once: after a crash no number is used twice. */
	reservedUpdates: 1_000,
	/** A third of how long a lease lasts. */
	leaseRenewalMs: 5_000,
	/** From stop to the end of the turn, whatever the others do. */
	stopMs: 3_000,
	/** After a stop or a timeout: how long the host may take to say what became of the op. */
	outcomeAfterStopMs: 1_000,
	/** After a restart: how long the host may take for one op; longer, and the op is in doubt. */
	outcomeAfterRestartMs: 2_000,

	titleChars: 60,
	/** Output of a tool as people see it; the whole is stored beside it. */
	displayedOutputChars: 64_000,
	storedOutputChars: 8_000_000,
	/** AGENTS.md of the workspace. */
	instructionsChars: 8_192,
	/** The names of capabilities in a thread's first message: what system prompt and tools leave of 2,000 (G7). */
	offeredCapabilitiesTokens: 112,
	/** What one of them says of itself. */
	offeredDescriptionChars: 32,
	/** After this the first request names those that were found by then. */
	offeredCapabilitiesMs: 3_000,
	/** After this it goes without them: the host is too busy to say. */
	offeringMs: 6_000,
	/** One file, folder or list of problems added with @. */
	contextRefChars: 60_000,
	/** Characters that a token stands for when a text is cut to a number of tokens; below what is usual, to be safe. */
	charsPerToken: 3,

	/** Share of the window that one tool result may fill. */
	resultShare: 0.3,
	/** A result keeps this much even in a full window. */
	leastResultChars: 2_000,
	/** History above the first share is trimmed to the second: rarely and by much, so that the cached prefix stays. */
	historyTrimAt: 0.8,
	historyTrimTo: 0.5,
	/** Tokens left free for the answer, at most a quarter of the window. */
	answerReserveTokens: 8_000,

	/** Answers in a row that stopped at the token limit and are continued. */
	continuations: 5,
	/** Requests again after an answer with nothing in it. */
	emptyAnswers: 1,
	/** Responses in a row in which no call could be run. */
	badRounds: 3,
} as const;
