/** Limits of the jobs of a team. */
export const teamLimits = {
	/** Least that pg-boss allows: a worker that says nothing for so long is lost. */
	heartbeatS: 10,
	/** Time between two signs of life of a job under way; with each it is also seen that it was cancelled. */
	beatS: 1,
	/** Time between two looks for workers that are lost. */
	superviseS: 2,
	/** Time between two looks for jobs, where PostgreSQL has not told of one at once. */
	pollS: 2,
	/** Time between two looks for kinds and labels that are new. */
	queuesMs: 1_000,
	/** Longest that pg-boss lets a job take. */
	jobS: 24 * 3_600,
	/** Jobs that wait are kept so long, and those that have ended. */
	waitingS: 90 * 24 * 3_600,
	endedS: 7 * 24 * 3_600,
	/** A job is begun at most so often, whatever it says itself: what was given back counts here, too. */
	takes: 10_000,
	/** Connections of one process to the database, beside the one that listens. */
	connections: 4,
	/** Connections of a process that takes no jobs. */
	memberConnections: 2,
	/** Longest wait for a connection. */
	connectMs: 10_000,
	/** Longest wait for an answer of the database. */
	queryMs: 30_000,
	/** Longest wait, at the end of a connection, for a database that does not answer. */
	closeMs: 3_000,
	/** Longest wait, at the end of a worker, for handlers that were told to stop. */
	stopMs: 5_000,
	/** Jobs of a kind with the same labels that have ended and are shown, and those that are asked for at once. */
	shownJobs: 1_000,
	/** Processes that take jobs, as far as they are shown. */
	shownWorkers: 100,
	/** Number of times that a job is sent while those that hold its key end before they are found. */
	sends: 10,
} as const;
