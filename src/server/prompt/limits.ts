/** Bounds of what a model is told before it is asked. */
export const limits = {
	/** Paths for which instructions are asked at once, and paths of those that were told before. */
	touchedPaths: 500,
	toldPaths: 1_000,
	/** The list of capabilities in a thread's first message: at least, and of the model's window. */
	offeredCapabilitiesTokens: 1_500,
	offeredCapabilitiesShare: 0.02,
	/** What a line about one takes at least, for how many are asked of the host; and the user's words that it weighs them by. */
	leastLineTokens: 10,
	beginningChars: 100_000,
	/** Those that are worth most are weighed against each other. */
	weighedCapabilities: 1_000,
	/** Partial choices that are looked at, about 1 ms. */
	choiceSteps: 5_000,
	/** Ways to choose among capabilities that need each other. */
	waysOfGroup: 200,
	leastWays: 40,
	waysLookedAt: 8_000,
	/** How much smaller the room is made when what was chosen takes more than it seemed to. */
	roomStepTokens: 20,
	/** What one of them says of itself, at most. */
	mostDescriptionChars: 1_536,
	/** What it says where it is shortened: less says nothing of what it is for. */
	leastDescriptionChars: 100,
	/** Those that came since the thread began, by name. */
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
	/** One file, folder or list of problems added with @. */
	contextRefChars: 60_000,
	/** Characters of a message by which the code index is searched for it. */
	codeQueryChars: 2_000,
} as const;
