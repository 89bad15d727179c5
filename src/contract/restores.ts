import type { ThreadId, TurnId } from '../protocol/ids.ts';
import type { LastRestore, RestoreDone, RestoreFile } from '../protocol/thread/restores.ts';

export interface RestoreWish {
	readonly threadId: ThreadId;
	/** Turn of the message to go back to: what was before it comes back. */
	readonly turnId: TurnId;
	readonly files: boolean;
	readonly conversation: boolean;
	/** Also files in which somebody else has changed what goes: their changes are lost. */
	readonly force: boolean;
}

/** A way back to any message of a thread, for its files, its conversation or both. The user's own acts. */
export interface Restores {
	/** Files that would change, in the order of their paths. */
	preview(threadId: ThreadId, turnId: TurnId): Promise<RestoreFile[]>;
	/**
	 * Resolves when it is whole. Rejects with TURN_RUNNING and TURN_NOT_FOUND before anything has changed. A host that is
	 * killed meanwhile leaves it to the next one to finish.
	 */
	restore(wish: RestoreWish, signal: AbortSignal): Promise<RestoreDone>;
	/** Takes the last restore of the thread back, in files that nobody has changed since. Rejects with INVALID_STATE when there is none. */
	redo(threadId: ThreadId, signal: AbortSignal): Promise<RestoreDone>;
	/** The restore that `redo` would take back; null: there is none. */
	last(threadId: ThreadId): Promise<LastRestore | null>;
}
