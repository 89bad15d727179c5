import type { Event } from '../base/emitter.ts';
import type { ChangeOwner, ChangesLeft, FileChange } from '../protocol/approvals/changes.ts';
import type { ThreadId, TurnId } from '../protocol/rpc/ids.ts';
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

/** Changes by an execution outside of any thread, and by everything it started. */
export interface ExecutionChanges {
	readonly executionId: string;
	/** When it changed its first file: an ISO time. */
	readonly since: string;
	readonly changes: readonly FileChange[];
}

/** Lines of a file that an owner has changed together. */
export interface Hunk {
	/** From 1, in the order of the file. */
	readonly number: number;
	/** Line of the file as it is now where the hunk begins, from 1. */
	readonly line: number;
	/** With their ends. */
	readonly removed: readonly string[];
	readonly added: readonly string[];
}

/** Files changed by threads, and by executions outside of any, with their before-images. */
export interface ChangeTracker {
	readonly onDidChange: Event<{
		readonly owner: ChangeOwner;
		readonly changes: readonly FileChange[];
		readonly undone: readonly string[];
	}>;
	list(owner: ChangeOwner): Promise<FileChange[]>;
	/** Files whose last undo can be taken back. */
	undone(owner: ChangeOwner): Promise<string[]>;
	/** Changes of executions outside of threads that can be undone in this workspace, the newest first. */
	ofExecutions(): Promise<ExecutionChanges[]>;
	/** Threads with changes that can be undone in this workspace, the newest first. */
	ofThreads(): Promise<{ readonly owner: ChangeOwner; readonly changes: readonly FileChange[] }[]>;
	/**
	 * Text of today without the owner's change; undefined when the owner created the file; of a link,
	 * where it leads. `now` is the same of a link that is there today; absent: look at the file.
	 */
	before(
		owner: ChangeOwner,
		path: string,
	): Promise<{ readonly absolutePath: string; readonly before: string | undefined; readonly now?: string }>;
	/** Hunks of one file, as it is now. */
	hunks(owner: ChangeOwner, path: string): Promise<Hunk[]>;
	keep(owner: ChangeOwner, paths: readonly string[] | undefined): Promise<ChangesLeft>;
	/** Rejects with FILE_CHANGED when the file has no such hunk any more. */
	keepHunk(owner: ChangeOwner, path: string, hunk: Hunk): Promise<ChangesLeft>;
	/** Goes through the gate and the ledger as the user's own act. */
	undo(
		owner: ChangeOwner,
		paths: readonly string[] | undefined,
		force: boolean,
		signal: AbortSignal,
	): Promise<ChangesLeft>;
	undoHunk(owner: ChangeOwner, path: string, hunk: Hunk, signal: AbortSignal): Promise<ChangesLeft>;
	/** Takes the last undo of the owner back, in files that nobody has changed since. The user's own act too. */
	redo(owner: ChangeOwner, signal: AbortSignal): Promise<ChangesLeft>;
	/** Compares again what is left of changes of these files: somebody may have changed them. */
	look(absolutePaths: readonly string[]): void;
	/** Lets go of everything that is kept for the owner. */
	forget(owner: ChangeOwner): Promise<void>;
}
