/** Bounds of a loop of requests and calls. */
export const loopLimits = {
	/** After a stop or a timeout: how long the host may take to say what became of the op. */
	outcomeAfterStopMs: 1_000,

	/** Answers in a row that stopped at the token limit, or paused: the last of so many ends the turn. Source: C39. */
	cutAnswers: 5,
	/** A model's summary of messages that leave: how long it may take, and how much there must be for it to be worth it. */
	summaryMs: 120_000,
	leastSummarizedTokens: 1_000,
	/** Share of the budget that they may fill as a text. */
	summarizedShare: 0.6,
	charsPerWord: 7,
	/** A check of a turn's work: how often, how long it may take, and characters that it reads and that it may find left. */
	doneChecks: 2,
	doneCheckMs: 60_000,
	checkedChars: 40_000,
	leftToDoChars: 1_000,
	/** Characters that the trace keeps of an answer that another one replaced. */
	tracedAnswerChars: 4_000,
	/** Tokens of messages below which a request tells too little of how a model counts. */
	measuredTokens: 2_000,
	/** A call whose answer cannot have changed, with the same result so many times: the next one is not run. */
	sameResults: 3,
	/** Rounds with such a call after the first one: the loop then ends. */
	triesAfterBlock: 2,
	/** Wait before a call that may learn more: at first, doubling each time that it does not, and at most. */
	paceMs: 1_000,
	longestPaceMs: 30_000,
	/** Times in a row that it may learn nothing before the user is asked; so many times more if they said "until". */
	pacedCalls: 12,
	untilFactor: 3,
	/** Two or three calls in turns, the last of so many times over, among the latest ones. */
	turnsInRow: 3,
	latestCalls: 30,
	/** Calls in all: for each request to the model, and at least. */
	callsPerIteration: 3,
	leastMostCalls: 30,
	/**
	 * Bounds of a single answer: characters of text or thoughts, and calls. The rest of a longer answer is not read.
	 */
	answerChars: 1_000_000,
	callsPerAnswer: 64,
	/** An end of this length that is one piece, so many times: the model says the same for ever. */
	repeatedChars: 6_000,
	repeatedTimes: 12,
	/** Rounds of calls in a row that changed nothing new and showed nothing new. */
	idleRounds: 10,
	/** Calls in a row that failed or were denied. */
	failuresInRow: 15,
	/** Requests again after an answer with nothing in it. */
	emptyAnswers: 1,
	/** Responses in a row in which no call could be run. */
	badRounds: 3,
} as const;
