/** Bounds of what is remembered and recalled. */
export const memoryLimits = {
	/** Memories of all projects together. */
	memories: 200_000,
	/** Memories of one scope that wait for the user's review. */
	inbox: 200,
	/** Candidates that each half of a recall puts forward. */
	candidates: 50,
	/** Constant of reciprocal rank fusion: how little the first places count more than the next ones. */
	rankConstant: 60,
	/** Weight of the ranking by age beside the two by meaning. */
	recencyWeight: 0.15,
	/** Characters of a message that a search for memories reads, and how many of its words the search by words uses. */
	queryChars: 4_000,
	queryWords: 48,
	/** A memory below this similarity is no candidate of the half by similarity. */
	leastSimilarity: 0.16,
	/** The same for places that a provider gives: every model spreads texts in its own way, so the best counts, too. */
	leastGivenSimilarity: 0.3,
	shareOfBest: 0.85,
	/**
	 * Weight that the words shared by a memory and a message must have together, where the rarest word weighs 1; less
	 * for one that is nearly the best. A word that means the same, an ordinary word and a frequent one weigh less.
	 */
	leastEvidence: 0.89,
	leastEvidenceOfBest: 0.3,
	relatedWeight: 0.6,
	ordinaryWeight: 0.35,
	leastWordWeight: 0.35,
	/** Score of a memory, its similarity and its share of the message's words: at least, and as a share of the best. */
	leastScore: 0.3,
	shareOfBestScore: 0.6,
	nearBest: 0.85,
	/** The words alone do not do it. */
	leastOwnSimilarity: 0.04,
	/** Memories with a word that are counted, to know how rare it is. */
	countedWithWord: 2_000,
	/** Memories that one request to a provider places, beside the message itself. */
	placedAtOnce: 64,
	/** Longest wait of a message for its place from a provider. */
	placeMs: 2_000,
	/** After a provider has failed, it is left alone for so long. */
	placePauseMs: 60_000,
	/** Places of a recall that go to preferences first, when there are any. */
	preferencePlaces: 2,
	/** Removed memories that the vectors in memory may still hold before they are read anew. */
	staleVectors: 500,
	/** Rows of one list. */
	listed: 500,
	/** The worker's end: after this it is ended by force. */
	closeMs: 3_000,
} as const;
