/** Bounds of what a program sends and is sent over `prowess rpc`. */
export const rpcLimits = {
	/** Bytes of one line from the program; a longer one ends the connection. A picture in base64 fits. */
	lineBytes: 32 * 1024 * 1024,
	/** Requests that are carried out at a time; the others wait, unread. */
	requestsAtOnce: 32,
	/** Characters on their way to the program above which no further request is read. */
	unwrittenChars: 16_000_000,
	/** The same above which updates of threads are left out, and named once the program has caught up. */
	optionalChars: 4_000_000,
	mostLeftOut: 10_000,
	/** From the end of the connection to the end of its turns; then their server is killed. */
	stopMs: 2_000,
} as const;
