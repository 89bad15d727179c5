/** Bounds of the code index. */
export const codeIndexLimits = {
	/** Larger files are not indexed: they are data, or made by tools. */
	fileBytes: 512 * 1024,
	/** Mean length of the lines of a file that nobody has written by hand. */
	meanLineChars: 250,
	/** Files of one workspace folder. */
	files: 50_000,
	/** Lines of one place, and how few are joined with the ones before. */
	chunkLines: 60,
	leastChunkLines: 8,
	/** Characters of a name, or of several that stand in one place. */
	symbolChars: 120,
	/** Places of one file. */
	chunksOfFile: 400,
	/** Words of a place that count. */
	wordsOfChunk: 400,
	/** Words of a file's path, names and first lines that count. */
	wordsOfFile: 400,
	/** Lines at the top of a file, which say what it is about. */
	headLines: 12,
	/** Letters of a word that counts: what is longer is made by a machine, or is a key. */
	wordLetters: 32,
	/** Files between two commits of the index. */
	filesAtOnce: 50,
	/** Longest time for which a search brings the index up to date before it answers with what is indexed. */
	updateMs: 8_000,
	/** Longest time for indexing the rest afterwards, beside other work. */
	restMs: 600_000,
	/** Candidates that each half of a search puts forward. */
	candidates: 120,
	candidateFiles: 40,
	/** Constant of reciprocal rank fusion: how little the first ranks count more than the next ones. */
	rankConstant: 30,
	/** Weight of the ranking of files beside the two of places, and of a place in a test that nobody asked for. */
	relatedWeight: 0.3,
	fileWeight: 1.5,
	testWeight: 0.4,
	/** Words of a query that count. */
	queryWords: 40,
	/** A place below this similarity is no candidate. */
	leastSimilarity: 0.1,
	/** Places of one file in an answer. */
	placesOfFile: 3,
	/** Places that one search has a provider's model put somewhere, beside the query itself; and how long that may take. */
	placedAtOnce: 64,
	placeMs: 10_000,
	/** Lines and characters of a place that are shown. */
	shownLines: 16,
	shownChars: 1_200,
	workerHeapMb: 512,
} as const;
