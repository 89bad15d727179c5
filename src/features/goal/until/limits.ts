/** Limits of checks of a condition. */
export const untilLimits = {
	/** Longest run of the command that decides. */
	checkMs: 600_000,
	/** Characters of what is missing: the end of the command's output. */
	missingChars: 1_500,
	/** Characters of recorded calls that a judge sees: the latest. */
	judgedCallChars: 20_000,
	judgedDiffChars: 40_000,
	judgeTokens: 300,
} as const;
