import type { ThreadId } from '../../protocol/ids.ts';
import type { OpResult } from '../../protocol/ops.ts';
import type { Caller } from './caller.ts';

/** Content of a file; `bytes` undefined: it is not known. */
export interface KnownContent {
	readonly bytes: Uint8Array | undefined;
	readonly permissions: number;
}

export interface SweptFiles {
	readonly caller: Caller;
	/** Without `before` or `after` there was, or is, no such file. */
	readonly files: readonly {
		readonly path: string;
		readonly absolutePath: string;
		readonly before: KnownContent | undefined;
		readonly after: KnownContent | undefined;
	}[];
}

/** Keeps the before-image of a file that is about to change, for undo. Resolves when it is durable. */
export interface BeforeImages {
	keep(change: {
		readonly caller: Caller;
		readonly path: string;
		readonly absolutePath: string;
		/** Text before; undefined when the file did not exist. */
		readonly before: string | undefined;
	}): Promise<void>;
	/** Records what our own write left (undefined: removed), so that later changes by others are noticed. */
	written(change: { readonly caller: Caller; readonly absolutePath: string; readonly after: string | undefined }): void;
	/**
	 * Returns the caller that a command acts for when it runs on after its turn: changes from then on belong to the
	 * turn that runs.
	 */
	callerNow(caller: Caller): Caller;
	/** Records files that a command has changed by itself. */
	swept(changes: SweptFiles): Promise<void>;
	/** Hash of what the thread's last write left there, also over restarts; undefined when it has written no such file. */
	lastWritten(threadId: ThreadId, absolutePath: string): Promise<string | undefined>;
	/** Files that are not as the thread left them: the user took a change back, or somebody changed them since. The newest first. */
	changedSince(threadId: ThreadId): Promise<OpResult<'workspace.changes'>['files']>;
}
