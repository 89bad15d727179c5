/** Bounds of sub-agents. */
export const agentLimits = {
	/** Levels below a thread of the user. */
	levels: 4,
	/** Most sub-agents of one thread of the user that are not terminated, unless the settings say otherwise. */
	live: 20,
	/** Newest entries of a thread in which the last words of an agent are looked for. */
	answerItems: 50,
	/** Changes within this time are told at once. */
	tellIntervalMs: 100,
	/** Rounds of messages between the same agents before they are refused. */
	mailRounds: 10,
	/** Messages between the agents of one thread of the user. */
	mailPerMinute: 60,
	/** Turns of which it is known who wrote to whom. */
	mailTurns: 1_000,
	/** Turns of which it is known that they were stopped with one above. */
	stoppedTurns: 1_000,
	/** From the wish to end one until its turn has. */
	stopMs: 22_000,
	/** Longest wait for a sub-agent to begin; afterwards it never will, because its host is gone. */
	beginMs: 60_000,
	/** Most files read from one folder with custom agents. */
	agentFiles: 1_000,
	/** Folders below one folder with custom agents that are looked through. */
	agentFolders: 200,
	/** Files of custom agents that are read at once. */
	readAtOnce: 64,
	/** Names of agents in the message about an unknown agent. */
	namedAgents: 50,
	agentNameChars: 100,
	agentDescriptionChars: 2_000,
	/** Most bytes of one file of a custom agent. */
	agentFileBytes: 100_000,
	/** Custom agents that the user has agreed to. */
	keptConsents: 1_000,
	/** Changed files, and characters of their patch, that a report on a sub-agent in a worktree has. */
	reportedFiles: 100,
	reportedPatchChars: 8_000,
} as const;
