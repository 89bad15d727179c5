/** Bounds of what a model is told before it is asked. */
export const limits = {
	/** AGENTS.md of the workspace. */
	instructionsChars: 8_192,
	/** The names of capabilities in a thread's first message: what system prompt and tools leave of 2,000 (G7). */
	offeredCapabilitiesTokens: 112,
	/** What one of them says of itself. */
	offeredDescriptionChars: 32,
	/** After this the first request names those that were found by then. */
	offeredCapabilitiesMs: 3_000,
	/** After this it goes without them: the host is too busy to say. */
	offeringMs: 6_000,
	/** One file, folder or list of problems added with @. */
	contextRefChars: 60_000,
} as const;
