/** Bounds of sub-agents. */
export const limits = {
	/** Levels below a thread of the user. */
	levels: 4,
	/** That are not terminated, of one thread of the user. */
	live: 20,
	/** Newest entries of a thread in which the last words of an agent are looked for. */
	answerItems: 50,
	/** Changes within this time are told at once. */
	tellIntervalMs: 100,
	/** From the wish to end one until its turn has. */
	stopMs: 22_000,
	/** One that was not begun within this time never will be: its host is gone. */
	beginMs: 60_000,
	/** Of one folder with custom agents. */
	agentFiles: 100,
	/** Of a file with one. */
	agentFileBytes: 100_000,
	/** Custom agents that the user has agreed to. */
	keptConsents: 1_000,
} as const;
