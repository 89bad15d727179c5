/** Lineage of threads, who works for whom: what the gate asks about the thread of a caller. */
import type { ThreadId } from '../protocol/ids.ts';

export interface Lineage {
	/** The thread whose agent started this one; undefined: the user did. */
	parentOf(threadId: ThreadId): ThreadId | undefined;
	/** The user's own thread that it all works for. */
	rootOf(threadId: ThreadId): ThreadId;
	/** Ops that its model may ask for; undefined: all. */
	opsOf(threadId: ThreadId): ReadonlySet<string> | undefined;
	/** Why it may ask for nothing any more; undefined: it may. */
	endOf(threadId: ThreadId): string | undefined;
	/** Why nobody knows; undefined: the file can be read, or there is none. */
	readonly problem: string | undefined;
	/** Reads the file again, so that the state is no older than this call. Rejects only when the signal aborts. */
	refresh(signal: AbortSignal): Promise<void>;
}
