/** Bounds of what an editor sends and is sent over the Agent Client Protocol. */
export const acpLimits = {
	/** Bytes of one line from the editor; a longer one ends the connection. */
	messageBytes: 32 * 1024 * 1024,
	/** Sessions that are open at a time; each has a server process. */
	sessions: 20,
	/** For the editor to give or take the text of a file. */
	fileMs: 10_000,
	/** Longest text that the editor is asked for; a longer file is read from the disk. */
	fileBytes: 4_000_000,
	/** For endpoints to list their models before a session begins without the list. */
	modelListMs: 5_000,
	/** Newest items of a thread that is loaded. */
	replayedItems: 5_000,
	replayedAtOnce: 1_000,
	listedSessions: 1_000,
	/** Last characters of the output of a call that an editor is shown. */
	outputChars: 8_000,
	servers: 20,
	/** From a cancel to the end of the turn; then its server is killed. Below the 3 s of the promise. */
	stopMs: 2_000,
	requestMs: 30_000,
} as const;
