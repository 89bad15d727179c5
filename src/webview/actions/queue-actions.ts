/**
 * Handles messages that the user writes while the agent works: they wait, or go to the turn at once. A message leaves
 * its queue only when the server has taken it; its id makes sure that it is not taken twice.
 */
import type { ContextRef } from '../../protocol/thread/context.ts';
import { type ItemId, newId, type ThreadId } from '../../protocol/ids.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { isFull, type QueuedMessage, queueOf } from '../state/queue.ts';
import { type HeldMessage, isRunning, openThreadId } from '../state/view-state.ts';
import { type Asking, failureOf, orShow } from './asking.ts';
import { type HeldWish, secretsIn, wishFor } from './held-wish.ts';

export function queueActions({ peer, store, signal }: Asking, hold: (held: HeldMessage) => void) {
	const current = (threadId: ThreadId) => queueOf(store.state.queues, threadId);

	function replace(threadId: ThreadId, id: ItemId, by: readonly QueuedMessage[]): void {
		const queue = current(threadId).flatMap((message) => (message.id === id ? by : [message]));
		store.dispatch({ type: 'queue', threadId, queue });
	}

	function add(text: string, refs: readonly ContextRef[]): ItemId | undefined {
		const threadId = openThreadId(store.state.open);
		if (threadId === null || isFull(current(threadId))) {
			return undefined;
		}
		const id = newId('itm');
		store.dispatch({ type: 'queue', threadId, queue: [...current(threadId), { id, text, refs }] });
		return id;
	}

	/** Sends one that waits; one that is not taken waits on. */
	async function deliver(threadId: ThreadId, id: ItemId, how: 'prompt' | 'steer', secrets?: HeldWish): Promise<void> {
		const message = current(threadId).find((each) => each.id === id);
		if (message === undefined || message.isSending === true) {
			return;
		}
		const { text, refs } = message;
		replace(threadId, id, [{ ...message, isSending: true }]);
		try {
			const params = { threadId, text, context: [...refs], messageId: id, ...wishFor(secrets) };
			await peer.call(threadRequests[how], params, signal);
			replace(threadId, id, []);
		} catch (error) {
			replace(threadId, id, [message]);
			const found = secretsIn(error);
			if (found !== undefined) {
				hold({ threadId, text, refs, found, from: { queued: id, how } });
			} else if (current(threadId).some((each) => each.id === id)) {
				store.dispatch({ type: 'problem', error: failureOf(error) });
			}
		}
	}

	return {
		deliver,
		/**
		 * Keeps a message until the turn of the open thread ends; where it ended since the user saw it run, nothing would send the
		 * message later, and it goes at once. False when that many wait already.
		 */
		enqueue(text: string, refs: readonly ContextRef[]): boolean {
			const threadId = openThreadId(store.state.open);
			const isAlone = threadId !== null && current(threadId).length === 0;
			const id = add(text, refs);
			if (isAlone && id !== undefined && !isRunning(store.state)) {
				void deliver(threadId, id, 'prompt');
			}
			return id !== undefined;
		},
		/** Gives a message to the turn that runs. False when too many wait already. */
		sendNow(text: string, refs: readonly ContextRef[]): boolean {
			const threadId = openThreadId(store.state.open);
			const id = add(text, refs);
			if (threadId === null || id === undefined) {
				return false;
			}
			void deliver(threadId, id, 'steer');
			return true;
		},
		/** Sends the message that has waited longest. */
		async sendFirst(threadId: ThreadId): Promise<void> {
			const [message] = current(threadId);
			if (message !== undefined) {
				await deliver(threadId, message.id, 'prompt');
			}
		},
		steer: (threadId: ThreadId, id: ItemId) => deliver(threadId, id, 'steer'),
		/** Ends the turn and begins the next one with this message. */
		async stopAndSend(threadId: ThreadId, id: ItemId): Promise<void> {
			const stopped = await orShow({ peer, store, signal }, peer.call(threadRequests.stop, { threadId }, signal));
			if (stopped !== undefined) {
				await deliver(threadId, id, 'steer');
			}
		},
	};
}
