/** Limits of quotas. */
export const quotaLimits = {
	/** In which tool calls are counted. */
	paceMs: 60_000,
	/** Longest time between two looks at a wait for room: the user may have raised the quota. */
	paceLookMs: 1_000,
} as const;
