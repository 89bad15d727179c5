/** Exit codes of the process; part of the interface, see docs/cli.md. */
export const exitCodes = {
	done: 0,
	failed: 1,
	usage: 2,
	/** A goal rests because the user has to do or decide something. */
	needsYou: 3,
	/** Stopped by a signal, or because nobody reads the output any more. */
	stopped: 130,
} as const;
