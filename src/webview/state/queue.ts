/** Messages that wait for the turn to end, per thread, in the order in which they were written. Each keeps its id until it is taken. */
import type { ItemId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { ThreadItem } from '../../protocol/thread/items.ts';
import type { ThreadDraft } from './drafts.ts';

export interface QueuedMessage extends ThreadDraft {
	/** With it the server takes the message once, however often it is sent. */
	readonly id: ItemId;
	/** On its way to the server; a new view does not know. */
	readonly isSending?: boolean;
}

export type Queues = Readonly<Record<string, readonly QueuedMessage[]>>;

const MAX_QUEUED_THREADS = 50;
const MAX_QUEUED_MESSAGES = 20;

export function readThreadQueue(queues: Queues, threadId: ThreadId | null): readonly QueuedMessage[] {
	return (threadId !== null && Object.hasOwn(queues, threadId) ? queues[threadId] : undefined) ?? [];
}

/** Sets the queue of a thread. An empty queue is dropped, as is the oldest of too many queues. */
export function withQueue(queues: Queues, threadId: ThreadId, queue: readonly QueuedMessage[]): Queues {
	const others = Object.entries(queues).filter(([other]) => other !== threadId);
	const own: [string, readonly QueuedMessage[]][] =
		queue.length === 0 ? [] : [[threadId, queue.slice(0, MAX_QUEUED_MESSAGES)]];
	return Object.fromEntries([...others, ...own].slice(-MAX_QUEUED_THREADS));
}

/** Drops messages that are in the thread: they were taken, and the answer that said so was lost. */
export function withoutTaken(queues: Queues, threadId: ThreadId, items: readonly ThreadItem[]): Queues {
	const queue = readThreadQueue(queues, threadId);
	const left = queue.filter(({ id }) => !items.some((item) => item.kind === 'user' && item.id === id));
	return left.length === queue.length ? queues : withQueue(queues, threadId, left);
}

export function isFull(queue: readonly QueuedMessage[]): boolean {
	return queue.length >= MAX_QUEUED_MESSAGES;
}
