/** Bounds of threads and of what is stored of them. */
export const threadLimits = {
	/** At most one update per thread in this time; deltas of one item in between become one. */
	updateIntervalMs: 33,
	/** Streamed text is at most this old in the store. */
	journalIntervalMs: 1_000,
	/** Update numbers reserved at once: after a crash no number is used twice. */
	reservedUpdates: 1_000,
	/** A third of how long a lease lasts. */
	leaseRenewalMs: 5_000,
	/** Interval at which a process looks for changes that another process has written. */
	watchIntervalMs: 300,
	/** A turn whose process has been gone for so long is settled by whoever shows it; until then by the successor of that process. */
	settleLeftMs: 5_000,
	/** From the wish to take a thread over until its turn has ended elsewhere: longer than a lease that is not renewed. */
	takeOverMs: 20_000,
	/** From stop to the end of the turn, whatever the others do. */
	stopMs: 3_000,
	/** After a restart: how long the host may take to say what became of one op; longer, and that is what is said of it. */
	outcomeAfterRestartMs: 5_000,

	/** Interrupted turns in a row after which going on is no longer offered: what kills a process each time is not to be tried for ever. */
	interruptedInARow: 3,

	titleChars: 60,
	/** Newest entries of a thread that was added to a message of another one; their text has a bound of its own. */
	otherThreadItems: 1_000,
	/** Messages in a page of what the user said. */
	pageMessages: 1_000,
	/** Output of a tool as people see it; the whole is stored beside it. */
	displayedOutputChars: 64_000,
	storedOutputChars: 8_000_000,
} as const;
