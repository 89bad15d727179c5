/** Limits of goals. */
export const goalLimits = {
	mostSteps: 8,
	stepChars: 4_000,
	titleChars: 200,
	/** Goals of a home. */
	mostGoals: 200,
	/** Messages that one step is worked on with, the first among them. */
	mostAttempts: 3,
	/** A goal whose plan changes more often within `replanWindowMs` has no plan. */
	mostReplans: 3,
	replanWindowMs: 5 * 60_000,
	/** Rows of the ledger that say what a step, or a thread, has done. */
	mostRecorded: 1_000,
	/** Longest wait for what a thread has used. */
	useMs: 5_000,
	/** Time between two looks whether another process has cancelled it. */
	lookMs: 500,
	/** Time between two looks of a host that stays: other processes add, change and leave goals. */
	followMs: 2_000,
} as const;
