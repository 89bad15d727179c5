/** Bounds of a loop of requests and calls. */
export const limits = {
	/** After a stop or a timeout: how long the host may take to say what became of the op. */
	outcomeAfterStopMs: 1_000,

	/** Answers in a row that stopped at the token limit and are continued. */
	continuations: 5,
	/** Requests again after an answer with nothing in it. */
	emptyAnswers: 1,
	/** Responses in a row in which no call could be run. */
	badRounds: 3,
} as const;
