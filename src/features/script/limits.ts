/** Limits of scripts. */
export const scriptLimits = {
	/** Characters of a file. */
	fileChars: 200_000,
	mostSteps: 100,
	/** Rounds of one step with `for`. */
	mostRounds: 1_000,
	/** Characters of a result that is kept for a later run; a longer one is not. */
	keptResultChars: 1_000_000,
	/** Runs that are remembered, the newest first. */
	keptRuns: 500,
} as const;
