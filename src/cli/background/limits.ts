/** Limits of work in the background. */
export const backgroundWorkLimits = {
	/** Longest time between two looks for something to do. */
	lookMs: 20_000,
	/** A folder's process waits for the next run of the folder, when that is so near. */
	lingerMs: 90_000,
	/** Longest time before a folder is tried again whose process had nothing to do, or failed. */
	longestPauseMs: 120_000,
	/** Number of times in a row that a process for jobs which was killed is started again at once. */
	killsAtOnce: 3,
	/** For the process of a folder to stop what it does; then it is killed. */
	stopMs: 10_000,
	/** From the wish to stop the background host to its end. */
	goneMs: 20_000,
	/** Pieces of ended work that are shown. */
	shownEnded: 20,
	/** Bytes of one line that a folder's process prints. */
	lineBytes: 100_000,
	/** The first line of its input. */
	keysBytes: 1_000_000,
} as const;
