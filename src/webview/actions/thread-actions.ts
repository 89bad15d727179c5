/** Actions of the user on threads and messages. */
import { changeRequests } from '../../protocol/approvals/changes.ts';
import { viewRequests } from '../../protocol/pages/chat-view.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import type { AnyError } from '../../protocol/errors/error-text.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import type { Effort } from '../../protocol/turn/models.ts';
import type { ItemId, ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { Mode, Shelf } from '../../protocol/thread/thread.ts';
import { type OverruleHow, refuseLongMessage, threadRequests } from '../../protocol/thread/thread-requests.ts';
import { readThreadDraft, EMPTY_DRAFT, withoutSent } from '../state/drafts.ts';
import { type Aside, type HeldMessage, isOpenTurnRunning, openSnapshot, openThreadId } from '../state/view-state.ts';
import { type ActionContext, findMessageSecrets, type HeldWish, orShow, untilStarted, wishFor } from './asking.ts';
import { toAnyError } from '../parts/tried-calls.ts';
import { queueActions } from './queue-actions.ts';
import { fetchLastRestore } from './restore-actions.ts';

const OPEN_ITEMS = 200;
const MAX_OPEN_ITEMS = 1000;
const EARLIER_ITEMS = 200;
const MAX_QUESTION = 20_000;
/** A snapshot older than the updates that wait for it is fetched again, but not for ever. */
const OPEN_ATTEMPTS = 3;

/** Model and message of the tour on the sample project. */
const TOUR_MODEL = 'tour/sample';
const TOUR_PROMPT = 'Find the failing test and fix it';

export type ThreadActions = ReturnType<typeof threadActions>;

export function threadActions(asking: ActionContext) {
	const { peer, store, signal } = asking;
	const queue = queueActions(asking, holdMessage);
	let fetching: ThreadId | null = null;
	const isStarting = () => store.state.phase.kind === 'starting';

	/** Fetches the shown thread; after a gap as many items as are held, so that nothing jumps. */
	async function fetchOpen(threadId: ThreadId): Promise<void> {
		if (fetching === threadId) {
			return;
		}
		fetching = threadId;
		const { open } = store.state;
		const held = open.kind === 'open' ? open.snapshot.items.length : 0;
		const items = Math.min(MAX_OPEN_ITEMS, Math.max(OPEN_ITEMS, held));
		try {
			for (let attempt = 0; attempt < OPEN_ATTEMPTS; attempt += 1) {
				const snapshot = await peer.call(threadRequests.open, { threadId, items, follow: true }, signal);
				store.dispatch({ type: 'snapshot', snapshot });
				if (store.state.open.kind !== 'open' || store.state.open.gap === null) {
					break;
				}
			}
		} catch (error) {
			if (isProwessError(error) && error.code === 'THREAD_NOT_FOUND') {
				leaveDeletedThread(threadId, error);
			} else {
				store.dispatch({ type: 'openFailed', threadId, error: toAnyError(error) });
			}
		} finally {
			if (fetching === threadId) {
				fetching = null;
			}
		}
	}

	/**
	 * Leaves a thread that was deleted in another window or from a command line, because asking for it again would
	 * fail.
	 */
	function leaveDeletedThread(threadId: ThreadId, error: AnyError): void {
		if (openThreadId(store.state.open) === threadId) {
			void showThread(null);
			void listThreads('');
			store.dispatch({ type: 'problem', error });
		}
	}

	async function fetchChanges(threadId: ThreadId): Promise<void> {
		const asked = [peer.call(changeRequests.list, { threadId }, signal), fetchLastRestore(asking, threadId)] as const;
		const [listed] = await Promise.all([orShow(asking, asked[0]), asked[1]]);
		if (listed !== undefined) {
			store.dispatch({ type: 'changes', threadId, ...listed });
		}
	}

	/** Shows a thread, or with null the beginning of a new one. The extension takes answers for the shown thread only. */
	async function showThread(threadId: ThreadId | null): Promise<void> {
		if (isStarting() && !(await untilStarted(asking))) {
			return;
		}
		store.dispatch({ type: 'threadShown', threadId });
		void orShow(asking, peer.call(viewRequests.show, { threadId }, signal));
		if (threadId !== null) {
			await Promise.all([fetchOpen(threadId), fetchChanges(threadId)]);
		}
	}

	/**
	 * Sends a message, in a new thread if none is open. A draft stays until the message is durable, in the thread that it is
	 * sent to: the next new one is empty. `begun`: model and mode of a new thread, whatever was chosen for the next.
	 */
	async function sendMessage(
		text: string,
		refs: readonly ContextRef[],
		isDraft = false,
		secrets?: HeldWish,
		begun?: { readonly modelId: string; readonly mode: Mode },
	): Promise<void> {
		if (store.state.isSending) {
			return;
		}
		try {
			refuseLongMessage(text);
		} catch (error) {
			store.dispatch({ type: 'problem', error: toAnyError(error) });
			return;
		}
		store.dispatch({ type: 'sending', isSending: true });
		store.dispatch({ type: 'problem', error: null });
		const typed = readThreadDraft(store.state.drafts, openThreadId(store.state.open));
		let threadId: ThreadId | null = null;
		try {
			if (isStarting() && !(await untilStarted(asking))) {
				return;
			}
			threadId = openThreadId(store.state.open);
			if (threadId === null) {
				const created = await peer.call(threadRequests.create, { ...store.state.fresh, ...begun }, signal);
				threadId = created.id;
				store.dispatch({ type: 'info', info: created });
				if (isDraft) {
					store.dispatch({ type: 'draft', threadId, draft: readThreadDraft(store.state.drafts, null) });
				}
				if (openThreadId(store.state.open) === null) {
					// Not awaited: what the turn brings before the snapshot is kept for it.
					void showThread(threadId);
				}
				if (isDraft) {
					store.dispatch({ type: 'draft', threadId: null, draft: EMPTY_DRAFT });
				}
			}
			await peer.call(threadRequests.prompt, { threadId, text, context: [...refs], ...wishFor(secrets) }, signal);
			if (isDraft) {
				store.dispatch({
					type: 'draft',
					threadId,
					draft: withoutSent(readThreadDraft(store.state.drafts, threadId), typed),
				});
			}
		} catch (error) {
			const found = findMessageSecrets(error);
			if (found === undefined || threadId === null) {
				store.dispatch({ type: 'problem', error: toAnyError(error) });
			} else {
				holdMessage({ threadId, text, refs, found, from: isDraft ? 'draft' : 'suggestion' });
			}
		} finally {
			store.dispatch({ type: 'sending', isSending: false });
		}
	}

	/** Asks the user about a message that contains keys; none of another thread, which would be a riddle. */
	function holdMessage(held: HeldMessage): void {
		if (openThreadId(store.state.open) === held.threadId) {
			store.dispatch({ type: 'held', held });
		}
	}

	/** Sends the message that was held, in the way that the user has chosen. */
	async function sendHeld(secrets: HeldWish): Promise<void> {
		const { held } = store.state;
		if (held === null) {
			return;
		}
		store.dispatch({ type: 'held', held: null });
		switch (held.from) {
			case 'draft':
			case 'suggestion':
				return await sendMessage(held.text, held.refs, held.from === 'draft', secrets);
			default:
				return 'queued' in held.from
					? await queue.deliver(held.threadId, held.from.queued, held.from.how, secrets)
					: await rerunTurn(held.from.turnId, held.text, secrets);
		}
	}

	async function rerunTurn(turnId: TurnId, text?: string, secrets?: HeldWish): Promise<void> {
		const threadId = openThreadId(store.state.open);
		if (threadId === null) {
			return;
		}
		const params = { threadId, turnId, ...(text === undefined ? {} : { text }), ...wishFor(secrets) };
		const begun = peer.call(threadRequests.rerun, params, signal);
		const found = await begun.then(() => undefined, findMessageSecrets);
		if (found !== undefined && text !== undefined) {
			holdMessage({ threadId, text, refs: [], found, from: { turnId } });
		} else {
			await orShow(asking, begun);
		}
	}

	async function updateThread(
		change: {
			title?: string;
			modelId?: string | null;
			mode?: Mode;
			effort?: Effort | null;
			shelf?: Shelf | null;
		},
		threadId: ThreadId,
	): Promise<boolean> {
		const info = await orShow(asking, peer.call(threadRequests.update, { threadId, ...change }, signal));
		if (info !== undefined) {
			store.dispatch({ type: 'info', info });
		}
		return info !== undefined;
	}

	async function listThreads(query: string): Promise<void> {
		const words = query.trim().slice(0, 500);
		const isSearch = words !== '';
		const params = isSearch ? { query: words } : {};
		const listed = await orShow(asking, peer.call(threadRequests.list, params, signal));
		if (listed !== undefined) {
			store.dispatch({ type: 'threads', threads: listed.threads, isSearch });
		}
	}

	async function overruleTurn(turnId: TurnId, how: OverruleHow): Promise<boolean> {
		const threadId = openThreadId(store.state.open);
		return (
			threadId !== null &&
			(await orShow(asking, peer.call(threadRequests.overrule, { threadId, turnId, how }, signal))) !== undefined
		);
	}

	return {
		/** Runs it at once, or as soon as the page knows which thread it shows; not at all where the start fails. */
		afterStart(run: () => void): void {
			if (isStarting()) {
				void untilStarted(asking).then((isStarted) => isStarted && run());
			} else {
				run();
			}
		},
		fetchOpen,
		fetchChanges,
		show: showThread,
		send: sendMessage,
		enqueue: queue.enqueue,
		sendNow: queue.sendNow,
		sendQueued: queue.sendFirst,
		steer: queue.steer,
		stopAndSend: queue.stopAndSend,
		sendHeld,
		list: listThreads,
		async earlier(threadId: ThreadId, before: ItemId): Promise<void> {
			const params = { threadId, before, limit: EARLIER_ITEMS };
			const page = await orShow(asking, peer.call(threadRequests.earlier, params, signal));
			if (page !== undefined) {
				store.dispatch({ type: 'earlier', threadId, ...page });
			}
		},
		/** Loads all items of the thread on the screen. The id of the first; undefined: it is not known, which is said. */
		async loadWhole(threadId: ThreadId): Promise<ItemId | undefined> {
			for (;;) {
				const snapshot = openSnapshot(store.state.open);
				const first = snapshot?.info.id === threadId ? snapshot.items[0]?.id : undefined;
				if (first === undefined || snapshot?.earlier === 0) {
					return first;
				}
				const params = { threadId, before: first, limit: EARLIER_ITEMS };
				const page = await orShow(asking, peer.call(threadRequests.earlier, params, signal));
				if (page === undefined || page.items.length === 0) {
					return undefined;
				}
				store.dispatch({ type: 'earlier', threadId, ...page });
			}
		},
		async stop(): Promise<void> {
			const threadId = openThreadId(store.state.open);
			if (threadId !== null) {
				await orShow(asking, peer.call(threadRequests.stop, { threadId }, signal));
			}
		},
		/** Ends the wait for a provider; the next model of the list answers. */
		async useNext(): Promise<void> {
			const threadId = openThreadId(store.state.open);
			if (threadId !== null) {
				await orShow(asking, peer.call(threadRequests.useNext, { threadId }, signal));
			}
		},
		async takeOver(threadId: ThreadId): Promise<void> {
			await orShow(asking, peer.call(threadRequests.takeOver, { threadId }, signal));
		},
		rerun: (turnId: TurnId, text?: string) => rerunTurn(turnId, text),
		/** Works on the turn's message again in another way; what runs of it is stopped first. */
		async workAgain(turnId: TurnId, strategy: 'DIRECT_RESPONSE' | 'GOAL'): Promise<void> {
			const threadId = openThreadId(store.state.open);
			if (threadId === null) {
				return;
			}
			const stopped = peer.call(threadRequests.stop, { threadId }, signal);
			const again = stopped.then(() => peer.call(threadRequests.rerun, { threadId, turnId, strategy }, signal));
			await orShow(asking, again);
		},
		/** Goes on though a guard has stopped the turn, which is counted. */
		async goOnAnyway(turnId: TurnId): Promise<void> {
			await overruleTurn(turnId, { act: 'goOn' });
			await sendMessage('Continue.', []);
		},
		/** Resolves with whether it was noted. */
		overrule: (turnId: TurnId, how: OverruleHow) => overruleTurn(turnId, how),
		/** Sends the turn's message once more, to be a schedule; its answer stays. */
		async runOnSchedule(turnId: TurnId): Promise<void> {
			const threadId = openThreadId(store.state.open);
			const items = openSnapshot(store.state.open)?.items ?? [];
			const message = items.find((item) => item.kind === 'user' && item.turnId === turnId);
			if (threadId !== null && message?.kind === 'user') {
				const again = { threadId, text: message.text, context: [], strategy: 'SCHEDULED_TASK' as const };
				await orShow(asking, peer.call(threadRequests.prompt, again, signal));
			}
		},
		/** Puts back what a retry of an older message has removed. */
		async restore(threadId: ThreadId): Promise<void> {
			await orShow(asking, peer.call(threadRequests.restore, { threadId }, signal));
		},
		async rename(threadId: ThreadId, title: string): Promise<void> {
			const trimmed = title.trim().slice(0, 200);
			if (trimmed !== '') {
				await updateThread({ title: trimmed }, threadId);
			}
		},
		/** Null: back into the list as any other. */
		shelve: (threadId: ThreadId, shelf: Shelf | null) => updateThread({ shelf }, threadId),
		/** Sets model, mode or effort of the open thread, or of the thread that the next message begins. False: it could not. */
		async choose(choice: { modelId?: string; mode?: Mode; effort?: Effort | null }): Promise<boolean> {
			if (isStarting() && !(await untilStarted(asking))) {
				return false;
			}
			const threadId = openThreadId(store.state.open);
			if (threadId !== null) return await updateThread(choice, threadId);
			store.dispatch({ type: 'fresh', ...choice });
			return true;
		},
		/** Sends a message, or has it wait for the end of the turn that runs. */
		sendOrQueue(text: string): void {
			if (isOpenTurnRunning(store.state)) {
				queue.enqueue(text, []);
			} else {
				void sendMessage(text, []);
			}
		},
		/** Asks beside the thread; the answer is shown as long as the question is. */
		async askBeside(question: string): Promise<void> {
			const asked = { question, answer: null, error: null };
			store.dispatch({ type: 'aside', aside: asked });
			const endAside = (ended: Partial<Aside>) => {
				if (store.state.aside === asked) {
					store.dispatch({ type: 'aside', aside: { ...asked, ...ended } });
				}
			};
			try {
				endAside(await peer.call(viewRequests.aside, { question: question.slice(0, MAX_QUESTION) }, signal));
			} catch (error) {
				endAside({ error: toAnyError(error) });
			}
		},
		/** In a new thread, whatever model the others have; not at all where the start fails. */
		async takeTour(): Promise<void> {
			if (isStarting() && !(await untilStarted(asking))) {
				return;
			}
			await showThread(null);
			await sendMessage(TOUR_PROMPT, [], false, undefined, { modelId: TOUR_MODEL, mode: 'agent' });
		},
		async delete(threadId: ThreadId): Promise<void> {
			await orShow(asking, peer.call(threadRequests.delete, { threadId }, signal));
		},
	};
}
