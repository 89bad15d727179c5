/** Bounds of what is kept of a conversation for the model. Shares are of the tokens that messages may take together. */
export const historyLimits = {
	/** Silent turns that stay, and so many at most are left out later than they could be. */
	keptSilentTurns: 10,
	/** Share of the window that one tool result may fill, and of the budget that those of one response may fill together. */
	resultShare: 0.3,
	resultsShare: 0.4,
	/** Characters that a token stands for when a text is cut to a number of tokens; below what is usual, to be safe. */
	charsPerToken: 3,
	/** A result keeps this much even in a full window. */
	leastResultChars: 2_000,
	/** Above the first share the conversation is cut to the second: rarely and by much, so that the cached prefix stays. */
	cutAt: 0.8,
	cutTo: 0.5,
	/** When messages have to leave, so many stay that they fill the first share with the head, and the second without it. */
	leaveTo: 0.3,
	leastKept: 0.15,
	/** Characters that stay of each old result, input, answer and attachment once it is shortened. */
	shortenedChars: 1_000,
	/** The same for what is newest, tried in this order, when nothing else is left to cut. */
	squeezedChars: [4_000, 1_000, 200],
	/** Pieces that were shortened and that the user is told one by one. */
	toldParts: 200,
	/** The user's own words of messages that are left out: all together, those but the first and the last, and one of these. */
	wordsShare: 0.25,
	sinceShare: 0.12,
	wordsChars: 2_000,
	/** Size of the list of work done in messages that are left out: at most so many tokens, and at most this share. */
	doneTokens: 2_000,
	doneShare: 0.15,
	/** The agent's plan in them. */
	planChars: 2_000,
	/** Longest line about where the agent works. */
	environmentChars: 600,
	/**
	 * Characters that stay of each result, input and attachment when a conversation is written as text; tried in this
	 * order.
	 */
	readChars: [2_000, 500, 100],
	/** In the list of what was done: an answer, what the user said, what became of a call, and a call's own words. */
	saidChars: 400,
	askedChars: 120,
	outcomeChars: 160,
	calledChars: 160,
	/** The workspace's instructions and the names of capabilities, once they are cut. */
	rulesShare: 0.35,
	/** Tokens left free for the answer, at most a quarter of the window. */
	answerReserveTokens: 8_000,
	/** Tokens that system prompt and tools take; what they really take is in the first request test. */
	fixedTokens: 2_000,
	/** A budget is not lowered below this, however often a provider refuses. */
	leastBudgetTokens: 1_000,
	/** A budget lowered by a refusal holds so long. */
	learnedAgeMs: 7 * 24 * 3_600_000,
} as const;
