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
} as const;
