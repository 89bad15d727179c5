/** Thread of a caller, as the gate asks about it: its rights now, and its lineage, who works for whom. */
import type { ThreadId } from '../protocol/rpc/ids.ts';
import type { LevelHere } from '../protocol/ops/permission-level.ts';
import type { Mode } from '../protocol/thread/thread.ts';

/** Rights of an agent in a thread without an answer of a person, as its host gives them now. */
export interface PermissionsNow extends LevelHere {
	readonly mode: Mode;
	/** Rules of the user may allow more than the level. */
	readonly hasRules: boolean;
}

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
