/** Bounds of a loop of requests and calls. */
export const limits = {
	/** After a stop or a timeout: how long the host may take to say what became of the op. */
	outcomeAfterStopMs: 1_000,

	/** Answers in a row that stopped at the token limit and are continued. */
	continuations: 5,
	/** A model's summary of messages that leave: how long it may take, and how much there must be for it to be worth it. */
	summaryMs: 120_000,
	leastSummarizedTokens: 1_000,
	/** Share of the budget that they may fill as a text. */
	summarizedShare: 0.6,
	charsPerWord: 7,
	/** Tokens of messages below which a request tells too little of how a model counts. */
	measuredTokens: 2_000,
	/** Requests again after an answer with nothing in it. */
	emptyAnswers: 1,
	/** Responses in a row in which no call could be run. */
	badRounds: 3,
} as const;
