import type { Event } from '../../base/emitter.ts';
import type { ChangeOwner, FileChange } from '../../protocol/changes.ts';

/** Changes by an execution outside of any thread, and by everything it started. */
export interface ExecutionChanges {
	readonly executionId: string;
	/** When it changed its first file: an ISO time. */
	readonly since: string;
	readonly changes: readonly FileChange[];
}

/** Files changed by threads, and by executions outside of any, with their before-images. */
export interface Changes {
	readonly onDidChange: Event<{ readonly owner: ChangeOwner; readonly changes: readonly FileChange[] }>;
	list(owner: ChangeOwner): Promise<FileChange[]>;
	/** Those of executions outside of threads that can be undone in this workspace, the newest first. */
	ofExecutions(): Promise<ExecutionChanges[]>;
	/** Text before the owner's first change; undefined when the owner created the file. */
	before(
		owner: ChangeOwner,
		path: string,
	): Promise<{ readonly absolutePath: string; readonly before: string | undefined }>;
	keep(owner: ChangeOwner, paths: readonly string[] | undefined): Promise<FileChange[]>;
	/** Goes through the gate and the ledger as the user's own act. */
	undo(
		owner: ChangeOwner,
		paths: readonly string[] | undefined,
		force: boolean,
		signal: AbortSignal,
	): Promise<{ changes: FileChange[]; skipped: string[] }>;
}
