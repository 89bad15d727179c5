/** Limits of jobs on this machine. */
export const workLimits = {
	/** A process that takes jobs ends when there has been none for it for so long. */
	idleMs: 2_000,
	/** Time between two looks whether anything is left to do. */
	lookMs: 250,
	/** Least time between two looks for which a team's news are the reason. */
	newsMs: 2_000,
	/** Time between two looks of `work follow`. */
	followMs: 500,
	/** Longest wait for one request to the background host. */
	requestMs: 5_000,
	/** Jobs that all workers of this home carry out at a time in one folder. */
	mostAtOnce: 1,
	/** Share of one person, who is alone on this machine. */
	mostOfGroup: 1_000,
	/** Characters of a prompt by which its job is called. */
	titleChars: 100,
	/** Characters of the reason why a job failed, in what `prowess serve` says. */
	whyChars: 1_000,
	/** Changed files that a result names. */
	namedFiles: 200,
	/** Items of a thread in which an earlier message is looked for. */
	lookedThroughItems: 1_000,
} as const;
