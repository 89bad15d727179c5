/** Commands as the user looks at them while they run, each by the op that started it. */
import type { Disposable } from '../base/disposable.ts';
import type { OpId, ThreadId } from '../protocol/rpc/ids.ts';
import type { CommandState } from '../protocol/ops/definitions/commands/shell.ts';

export type CommandRunEnd = Pick<CommandState, 'exitCode' | 'signal' | 'timedOut' | 'overTime' | 'stoppedByUser'>;

/** Hears the output kept so far, then what comes, then the end, once. */
interface RunFollower {
	write(text: string): void;
	end(end: CommandRunEnd): void;
}

/** Hears output as the program wrote it. */
export interface RawFollower extends RunFollower {
	/** Called first, where the beginning of the output is no longer kept: what stood before the first `write`, to redact by and not to show. */
	lead(text: string): void;
}

/** Each throws NOT_FOUND for a run that this thread does not have; a run that has ended is kept for a while. */
export interface Runs {
	/** Ends one command; its turn goes on. Resolves when it has ended. Rejects with INVALID_STATE when it had. */
	stop(opId: OpId, threadId: ThreadId | null): Promise<void>;
	/**
	 * The turn waits for it no longer, and its time limit no longer holds. Rejects with INVALID_STATE when it has ended or
	 * too many run in the background, and with LEDGER_UNWRITABLE.
	 */
	continueInBackground(opId: OpId, threadId: ThreadId | null): Promise<void>;
	/** Dispose stops listening, not the command. */
	follow(opId: OpId, threadId: ThreadId | null, follower: RunFollower): Disposable;
}
