/** Limits of the jobs that this machine keeps. */
export const workLimits = {
	/** Time between two looks for jobs of other processes, for cancelled ones and for those whose worker is gone. */
	lookMs: 1_000,
	/** Longest wait, at the end of a worker, for handlers that were told to stop. */
	stopMs: 5_000,
	/** A schedule that is found at most this much late is on time. */
	onTimeMs: 2 * 60_000,
	/** Jobs that have ended are kept so long. */
	keptMs: 7 * 24 * 3_600_000,
	/** Jobs that are shown. */
	shownJobs: 1_000,
} as const;
