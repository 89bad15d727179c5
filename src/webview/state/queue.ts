/** Messages that wait for the turn to end, per thread, in the order in which they were written. */
import type { ThreadId } from '../../protocol/ids.ts';
import { type Draft, readDrafts } from './drafts.ts';

export type Queues = Readonly<Record<string, readonly Draft[]>>;

const MAX_THREADS = 50;
const MAX_QUEUED = 20;

export function queueOf(queues: Queues, threadId: ThreadId | null): readonly Draft[] {
	return (threadId !== null && Object.hasOwn(queues, threadId) ? queues[threadId] : undefined) ?? [];
}

/** One queue as it is now; an empty one is dropped, and of too many the oldest. */
export function withQueue(queues: Queues, threadId: ThreadId, queue: readonly Draft[]): Queues {
	const others = Object.entries(queues).filter(([other]) => other !== threadId);
	const own: [string, readonly Draft[]][] = queue.length === 0 ? [] : [[threadId, queue.slice(0, MAX_QUEUED)]];
	return Object.fromEntries([...others, ...own].slice(-MAX_THREADS));
}

export function isFull(queue: readonly Draft[]): boolean {
	return queue.length >= MAX_QUEUED;
}

/** Reads what an earlier view kept, whatever shape an older version gave it. */
export function readQueues(saved: unknown): Queues {
	if (typeof saved !== 'object' || saved === null) {
		return {};
	}
	const queues = Object.entries(saved).map(([threadId, kept]: [string, unknown]): [string, readonly Draft[]] => [
		threadId,
		Array.isArray(kept) ? Object.values(readDrafts(kept)).slice(0, MAX_QUEUED) : [],
	]);
	return Object.fromEntries(queues.filter(([, queue]) => queue.length > 0).slice(-MAX_THREADS));
}
