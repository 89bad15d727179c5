/** Bounds of what a model is told before it is asked. */
export const promptLimits = {
	/** Paths for which instructions are asked at once, and paths of those that were told before. */
	touchedPaths: 500,
	toldPaths: 1_000,
	/** The list of capabilities in a thread's first message: at least, and of the model's window. */
	offeredCapabilitiesTokens: 1_500,
	offeredCapabilitiesShare: 0.02,
	/**
	 * Fewest tokens of a line about a capability, which bound how many capabilities the host is asked for; and
	 * characters of the user's words by which the host weighs them.
	 */
	leastLineTokens: 10,
	beginningChars: 100_000,
	/** Number of the most valuable capabilities that are weighed against each other. */
	weighedCapabilities: 1_000,
	/** Partial choices that are looked at, about 1 ms. */
	choiceSteps: 5_000,
	/** Ways to choose among capabilities that need each other. */
	waysOfGroup: 200,
	leastWays: 40,
	waysLookedAt: 8_000,
	/** Tokens by which the room shrinks when the chosen lines together take more than the sum of the lines. */
	roomStepTokens: 20,
	/** Longest description of a capability. */
	mostDescriptionChars: 1_536,
	/** Length of a shortened description: a shorter one would not tell the purpose of the capability. */
	leastDescriptionChars: 100,
	/** Most capabilities that are told by name because they came since the thread began. */
	newCapabilities: 20,
	/** After this the first request names those that were found by then. */
	offeredCapabilitiesMs: 3_000,
	/** After this it goes without them: the host is too busy to say. */
	offeringMs: 6_000,
	/** After this the message goes without what has changed around it. */
	environmentMs: 5_000,
	/** After this the message goes without memories, and so much of it is looked for. */
	recallMs: 3_000,
	recallChars: 4_000,
	/** Most lines of a symbol added with @. */
	symbolLines: 1_000,
	/** Longest text of a file, folder or list of problems added with @. */
	contextRefChars: 60_000,
	/** Longest text of the lines that a comment is about. */
	commentedChars: 4_000,
	/** Characters of a message by which the code index is searched for it. */
	codeQueryChars: 2_000,
} as const;
