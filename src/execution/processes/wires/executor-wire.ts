/**
 * Carrier of the frames of one executor. The rules on the form, number and order of frames are the same over each wire.
 */

/** A frame as it came. Frames are text; no wire looks at their meaning. */
export type Received =
	| { readonly data: Buffer; readonly isBinary: boolean }
	| { readonly data: Buffer; readonly ping: boolean };

export interface WireEvents {
	/** The far end has shown the token. At most once, before anything is received. */
	onOpen(): void;
	onReceived(received: Received): void;
	/** The far end broke a rule of the wire; nothing more is read. At most once. */
	onFault(problem: string): void;
	/** Somebody who did not show the token was sent away, which need not have been the executor. */
	onRefused(problem: string): void;
	/** The far end is gone, and all it had sent has been received. */
	onClosed(): void;
}

export interface ExecutorWire {
	/** Bytes that were sent and that the far end has not read. */
	readonly unreadBytes: number;
	/** Called once, at once: nothing is told before. */
	follow(events: WireEvents): void;
	send(text: string): void;
	/** The far end answers with something received that is no `ping`. */
	ping(): void;
	pong(data: Buffer): void;
	/** Reads nothing until `resume`, as far as the far end can notice. */
	pause(): void;
	resume(): void;
	/** Closes the wire; frames that were sent before still leave. */
	close(end: 'done' | 'violation'): void;
}
