/** Bounds of what a page sends, in an editor or a browser. */
export const pageLimits = {
	/** Messages of the view, as JSON: an ordinary one, and one that may carry text (prompt, copy, insert). */
	frameBytes: 256 * 1024,
	textFrameBytes: 6 * 1024 * 1024,
	/** Message with one picture in base64, with room for its name. */
	pictureFrameBytes: 7 * 1024 * 1024,
	framesPerSecond: 100,
} as const;

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
	/** From the end of the connection to the end of its turns, then their server is killed; and for the last answers to go out. */
	stopMs: 2_000,
} as const;

/** Bounds of the conversation between a door and windows of the editor. */
export const windowLimits = {
	/** Bytes of one message; a question shows all that would happen. */
	questionBytes: 8 * 1024 * 1024,
	/** Doors that one window attends to. */
	mostDoors: 32,
} as const;

/** Bounds of what an MCP client sends, and of what is carried out for it. */
export const mcpDoorLimits = {
	/** Bytes of one message; a longer one ends the connection on standard input, and is refused over HTTP. */
	messageBytes: 8 * 1024 * 1024,
	/** Calls that are carried out at a time. */
	callsAtOnce: 8,
	/** Calls in any minute; refused beyond, with when to try again. */
	callsPerMinute: 240,
	/** Bytes on their way to the client above which nothing more is read. */
	unwrittenBytes: 4 * 1024 * 1024,
	/** Characters of the text of a result. */
	resultChars: 200_000,
	/** Least time between two notifications of progress of a call. */
	progressMs: 200,
	/** Characters of the message of one. */
	progressChars: 500,
	/** Longest time to live of a call that is carried out as a task, and how often a client is to ask for its state. */
	taskMs: 3_600_000,
	taskPollMs: 1_000,
	/** Tasks that are kept; those that have ended longest ago are forgotten beyond. */
	tasks: 64,
	/** Requests that wait for results of tasks; refused beyond. */
	taskWaits: 64,
	/** For a client that was asked to come back with an answer; then it is a no. */
	answerMs: 600_000,
	/** Connections over HTTP at a time. */
	connections: 64,
	/** For the headers and the body of a request over HTTP. */
	requestMs: 30_000,
} as const;

/** Bounds of what is suggested after `@` in a browser. */
export const mentionLimits = {
	/** Suggestions of one answer. */
	most: 50,
	/** Entries of the folder that are looked at, and the time for it; what comes later is not suggested. */
	entries: 100_000,
	listMs: 5_000,
	/** Entries in one turn of the loop, which pages of other browsers share. */
	entriesInTurn: 500,
	threads: 200,
	/** Older than this, names are listed anew when somebody asks, who waits only so long for the new ones. */
	freshMs: 10_000,
	patienceMs: 100,
} as const;

/** Bounds of what browsers send to `prowess web`, and of how long a device stays paired. */
export const webLimits = {
	/** A pairing code counts so long, for one device. */
	codeMs: 600_000,
	/** Wrong codes after which no code counts any more. */
	wrongCodes: 5,
	/** Codes that wait at a time. */
	codes: 5,
	devices: 20,
	/** A device that was not here for so long is paired anew. */
	idleMs: 7 * 24 * 3_600_000,
	/** Any device is paired anew after so long. */
	pairedMs: 30 * 24 * 3_600_000,
	/** Least time between two notes that a device is here. */
	seenMs: 3_600_000,
	/** Connections at a time, those of pages with them. */
	connections: 64,
	/** Connections of one other machine at a time, where a certificate lets others connect. */
	connectionsOfMachine: 24,
	/** Bytes of the file of a certificate, or of its key. */
	certificateBytes: 256 * 1024,
	/** Least time between two looks whether the certificate was renewed, each with a new connection. */
	certificateLookMs: 1_000,
	/** Pages at a time, of one device and of all. */
	pagesOfDevice: 4,
	pages: 24,
	/** For the headers and the body of a request. */
	requestMs: 10_000,
	/** Time without any byte, in either direction, after which a connection is ended; up to twice as long while it is sent to. */
	stillMs: 5_000,
	/** Requests in any minute; refused beyond. */
	requestsPerMinute: 600,
	pairingsPerMinute: 10,
	pairingBytes: 1_000,
	/** From the socket of a page to its greeting. */
	greetingMs: 5_000,
	greetingBytes: 1_000,
	/** Requests of one page that are under way; further ones are refused. */
	requestsAtOnce: 64,
	/** Time between two looks whether devices with a page are still paired, beside those before each message. */
	lookMs: 1_000,
	/** A page that has not answered a ping by the next one is gone. */
	pingMs: 20_000,
	/** Bytes on their way to a page above which it is let go: it comes back, and asks for everything. */
	unwrittenBytes: 16 * 1024 * 1024,
	/** Reason that a page is told why it ends; a frame that closes has 123 bytes. */
	reasonBytes: 120,
} as const;
