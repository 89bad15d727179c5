/** Every wait and every bound of the CLI, named. */
export const cliLimits = {
	/** Turns that one list of traces may show. */
	tracedTurns: 10_000,
	/** From the fork to the answer of `server/start`. */
	serverStartMs: 20_000,
	/** For the server to shut down by itself; then it is killed. */
	serverStopMs: 1_500,
	/** For the system to report the end of a killed process. */
	serverExitMs: 1_000,
	/** Last characters of the server's output, kept for the message when it dies. */
	stderrTailChars: 2_000,
	/** From the first Ctrl+C to the end of the turn; then the server is killed. */
	stopMs: 2_000,
	/** After a second Ctrl+C: for the trusted base to end what it started, commands that ignore the polite signal included. */
	killMs: 3_000,
	/** After a stop: for a reader that has stalled to take what is already written. */
	flushMs: 300,
	/** Ordinary questions to the server, and the change of a file that another process of ours is changing. */
	requestMs: 30_000,
	/** Listing models asks endpoints that may be far away. */
	modelListMs: 30_000,
	/** Time limit of one check of `doctor`. */
	doctorCheckMs: 10_000,
	/** Before a question is shown: longer than the interval of thread updates. */
	quietMs: 100,
	/** Lines that come as fast after one another are pasted: nobody types like that. */
	pasteMs: 30,
	settingsFileBytes: 1_000_000,
	secretsFileBytes: 4_000_000,
	/** Bytes of one secret; room for keys and certificates. */
	secretBytes: 65_536,
	/** A prompt from standard input; longer ones are the server's to refuse. */
	promptBytes: 16_000_000,
	threads: 1_000,
	ledgerRows: 10_000,
	/** Highest value of `capability run --timeout`. */
	executionTimeoutMs: 86_400_000,
} as const;
