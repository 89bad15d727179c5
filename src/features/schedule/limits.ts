/** Limits of schedules. */
export const scheduleLimits = {
	/** A run that begins at most this much later than it was due is on time: the editor was busy. Later, it was missed. */
	onTimeMs: 2 * 60_000,
	/** Longest time between two looks at the clock: it may have been changed, the machine asleep, a schedule added elsewhere. */
	lookMs: 20_000,
	/** Runs of a schedule that are shown. */
	shownRuns: 20,
	/** Ended runs are remembered for so long; a clock that is put back further repeats runs. */
	keptRunsMs: 400 * 24 * 3_600_000,
	/** Schedules of a home. */
	mostSchedules: 200,
	/** Longest wait for the server to take the first message of a run. */
	beginMs: 60_000,
	/** Longest a run may take, questions included. */
	runMs: 6 * 3_600_000,
	/** Time between two looks whether its turn still runs: the server may have died. */
	checkMs: 5_000,
	/** Longest wait for a run to stop. */
	stopMs: 5_000,
	/** A watch ends so long after it was added, unless it is told otherwise. */
	watchMs: 7 * 24 * 3_600_000,
	/** Longest life of a watch. */
	longestWatchMs: 90 * 24 * 3_600_000,
	/** Runs of a watch that may hold again and again, unless it is told otherwise; and the most it can be told. */
	usualHolds: 20,
	mostHolds: 1_000,
	/** Longest a poll may take. Until then no other process polls, also where this one was killed. */
	pollMs: 60_000,
	/** Pause after the first poll, and after one that found something new. The pause grows by half with each poll that does not. */
	leastPauseMs: { files: 2_000, command: 10_000, ref: 15_000, address: 15_000 },
	/** Longest pause between two polls. */
	mostPauseMs: { files: 30_000, command: 300_000, ref: 300_000, address: 300_000 },
	/** After so many polls in a row that could not be made, a watch is paused and the user is told. */
	mostFailedPolls: 5,
	/** A poll that finds the same as the one before gets no row in the ledger; after so many there is one with their count. */
	pollsPerRow: 100,
	/** Characters that are kept of why a poll could not be made, at most. */
	problemChars: 8_000,
	/** Files of a watch, at most. */
	watchedFiles: 5_000,
} as const;
