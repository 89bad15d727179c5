/** Bounds of what is kept of a conversation for the model. */
export const limits = {
	/** Share of the window that one tool result may fill. */
	resultShare: 0.3,
	/** Characters that a token stands for when a text is cut to a number of tokens; below what is usual, to be safe. */
	charsPerToken: 3,
	/** A result keeps this much even in a full window. */
	leastResultChars: 2_000,
	/** History above the first share is trimmed to the second: rarely and by much, so that the cached prefix stays. */
	historyTrimAt: 0.8,
	historyTrimTo: 0.5,
	/** Tokens left free for the answer, at most a quarter of the window. */
	answerReserveTokens: 8_000,
} as const;
