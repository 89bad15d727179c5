/** Bounds of the tools that a loop carries out by itself. */
export const ownToolLimits = {
	/** Characters of a result that are read on at once. */
	readOnChars: 20_000,
	/** Rare tools that one question finds. */
	foundTools: 4,
	/** Characters of a word that tells one tool from another. */
	leastWordChars: 3,
} as const;
