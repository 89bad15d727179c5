/** Threads beside the one of a turn: the user may add one to a message. */
import type { ThreadId } from '../../protocol/ids.ts';

export interface OtherThreads {
	/** Words of the user and of the agent, and which tools ran; undefined when there is no such thread. */
	saidIn(threadId: ThreadId): string | undefined;
}
