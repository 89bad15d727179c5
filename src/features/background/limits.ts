/** Limits of the conversation with a background host. */
export const backgroundLimits = {
	/** Most bytes of one message. */
	lineBytes: 1_000_000,
	/** From the connection to the proof. */
	proveMs: 5_000,
	/** The answer of a background host that is asked what it does. */
	stateMs: 3_000,
	/** Connections at a time that have not proved yet that they read the home. */
	mostUnproven: 32,
	/** Longest path of a socket that every system takes, with the byte that ends it. */
	socketPathBytes: 103,
} as const;
