/** Limits of an evaluation. */
export const evalLimits = {
	/** Most tasks of a set. */
	tasks: 2_000,
	/** Largest file that describes a task. */
	taskFileBytes: 200_000,
	/** Most files that a task begins with, and largest of them. */
	files: 2_000,
	fileBytes: 5_000_000,
	/** Longest time of the agent for one try, unless the task says less. */
	turnMs: 600_000,
	/** Longest time of a check, unless the task says less. */
	checkMs: 300_000,
	/** Characters of a failed check that the agent is told before its next try. */
	toldChars: 8_000,
	/** Longest time to read what a task has recorded. */
	recordsMs: 60_000,
	/** Most rows of the ledger that are read for one task. */
	rows: 100_000,
} as const;
