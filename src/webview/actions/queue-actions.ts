/**
 * Handles messages that the user writes while the agent works: they wait, or go to the turn at once. A message leaves
 * its queue only when the server has taken it; its id makes sure that it is not taken twice.
 */
import type { ContextRef } from '../../protocol/thread/context.ts';
import { type ItemId, newId, type ThreadId } from '../../protocol/rpc/ids.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { isFull, type QueuedMessage, readThreadQueue } from '../state/queue.ts';
import { type HeldMessage, isOpenTurnRunning, openThreadId } from '../state/view-state.ts';
import { type ActionContext, findMessageSecrets, type HeldWish, orShow, wishFor } from './asking.ts';
import { toAnyError } from '../parts/tried-calls.ts';

export function queueActions({ peer, store, signal }: ActionContext, hold: (held: HeldMessage) => void) {
	const currentQueue = (threadId: ThreadId) => readThreadQueue(store.state.queues, threadId);

	function replaceQueued(threadId: ThreadId, id: ItemId, by: readonly QueuedMessage[]): void {
		const queue = currentQueue(threadId).flatMap((message) => (message.id === id ? by : [message]));
		store.dispatch({ type: 'queue', threadId, queue });
	}

	function addToQueue(text: string, refs: readonly ContextRef[]): ItemId | undefined {
		const threadId = openThreadId(store.state.open);
		if (threadId === null || isFull(currentQueue(threadId))) {
			return undefined;
		}
		const id = newId('itm');
		store.dispatch({ type: 'queue', threadId, queue: [...currentQueue(threadId), { id, text, refs }] });
		return id;
	}

	/** Sends one that waits; one that is not taken waits on. */
	async function deliverQueued(
		threadId: ThreadId,
		id: ItemId,
		how: 'prompt' | 'steer',
		secrets?: HeldWish,
	): Promise<void> {
		const message = currentQueue(threadId).find((each) => each.id === id);
		if (message === undefined || message.isSending === true) {
			return;
		}
		const { text, refs } = message;
		replaceQueued(threadId, id, [{ ...message, isSending: true }]);
		try {
			const params = { threadId, text, context: [...refs], messageId: id, ...wishFor(secrets) };
			await peer.call(threadRequests[how], params, signal);
			replaceQueued(threadId, id, []);
		} catch (error) {
			replaceQueued(threadId, id, [message]);
			const found = findMessageSecrets(error);
			if (found !== undefined) {
				hold({ threadId, text, refs, found, from: { queued: id, how } });
			} else if (currentQueue(threadId).some((each) => each.id === id)) {
				store.dispatch({ type: 'problem', error: toAnyError(error) });
			}
		}
	}

	return {
		deliver: deliverQueued,
		/**
		 * Keeps a message until the turn of the open thread ends; where it ended since the user saw it run, nothing would send the
		 * message later, and it goes at once. False when that many wait already.
		 */
		enqueue(text: string, refs: readonly ContextRef[]): boolean {
			const threadId = openThreadId(store.state.open);
			const isAlone = threadId !== null && currentQueue(threadId).length === 0;
			const id = addToQueue(text, refs);
			if (isAlone && id !== undefined && !isOpenTurnRunning(store.state)) {
				void deliverQueued(threadId, id, 'prompt');
			}
			return id !== undefined;
		},
		/** Gives a message to the turn that runs. False when too many wait already. */
		sendNow(text: string, refs: readonly ContextRef[]): boolean {
			const threadId = openThreadId(store.state.open);
			const id = addToQueue(text, refs);
			if (threadId === null || id === undefined) {
				return false;
			}
			void deliverQueued(threadId, id, 'steer');
			return true;
		},
		/** Sends the message that has waited longest. */
		async sendFirst(threadId: ThreadId): Promise<void> {
			const [message] = currentQueue(threadId);
			if (message !== undefined) {
				await deliverQueued(threadId, message.id, 'prompt');
			}
		},
		steer: (threadId: ThreadId, id: ItemId) => deliverQueued(threadId, id, 'steer'),
		/** Ends the turn and begins the next one with this message. */
		async stopAndSend(threadId: ThreadId, id: ItemId): Promise<void> {
			const stopped = await orShow({ peer, store, signal }, peer.call(threadRequests.stop, { threadId }, signal));
			if (stopped !== undefined) {
				await deliverQueued(threadId, id, 'steer');
			}
		},
	};
}
