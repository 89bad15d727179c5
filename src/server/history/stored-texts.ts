/** Texts that are stored beside a conversation: whole results that are cut in it, other threads. */
import type { OpId, ThreadId, TurnId } from '../../protocol/rpc/ids.ts';

/** Tool by which the model reads on in a result that was cut. */
export const READ_RESULT = 'result_read';

/** Where the whole results of one conversation lie. */
export interface StoredResults {
	/** Undefined: this conversation has none with that id. `turnId`: only a result of that turn. */
	result(id: string, turnId?: TurnId): string | undefined;
}

const ID_CHARS = 8;

/** The random end of the op's id: short enough to be written again, and found within one thread only. */
export function resultId(opId: OpId): string {
	return opId.slice(-ID_CHARS);
}

export function isResultId(id: string): boolean {
	return /^[0-9a-f]{8}$/.test(id);
}

/** Threads beside the one of a turn: the user may add one to a message. */
export interface OtherThreads {
	/** Words of the user and of the agent, and which tools ran; undefined when there is no such thread. */
	saidIn(threadId: ThreadId): string | undefined;
}
