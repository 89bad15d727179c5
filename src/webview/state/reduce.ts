/** Applies each event to the view's state. Pure: needs no DOM and sends no request. */
import { assertNever } from '../../base/assert-never.ts';
import type { ServerState } from '../../protocol/pages/chat-view.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { TypedInput } from '../../protocol/pages/typed-input.ts';
import { atRest } from '../../protocol/thread/stored-thread.ts';
import { readThreadDraft, EMPTY_DRAFT, withDraft, withDraftAt } from './drafts.ts';
import { receiveEarlier, receiveSnapshot, receiveUpdate } from './open-thread.ts';
import { type QueuedMessage, withoutTaken, withQueue } from './queue.ts';
import { listAfterUpdate, withInfo } from './thread-list.ts';
import type { ViewEvent } from './view-event.ts';
import { type HeldMessage, type OpenThread, openThreadId, type ViewState } from './view-state.ts';

export function reduceView(state: ViewState, event: ViewEvent): ViewState {
	switch (event.type) {
		case 'started': {
			const { server, workspace, settings, activeFile, strings } = event;
			const fresh = { ...state.fresh, mode: settings.mode ?? state.fresh.mode };
			const typed = state.phase.kind === 'ready' ? {} : withKept(state, event.threadId, event.typed);
			const ready = { ...state, server, workspace, settings, activeFile, strings, fresh, ...typed };
			// In one step: in between, the text that was typed would be in no draft of the thread that is shown.
			return switchThread({ ...ready, phase: { kind: 'ready' } }, event.threadId);
		}
		case 'startFailed':
			return { ...state, phase: { kind: 'failed', error: event.error } };
		case 'server':
			return followServer(state, event.server);
		case 'workspace':
			return { ...state, workspace: event.workspace };
		case 'settings':
			return { ...state, settings: event.settings };
		case 'activeFile':
			return { ...state, activeFile: event.activeFile };
		case 'threads':
			return { ...state, threads: event.threads, isSearch: event.isSearch };
		case 'threadShown':
			return switchThread(state, event.threadId);
		case 'snapshot': {
			const open = receiveSnapshot(state.open, event.snapshot);
			const { info, items } = event.snapshot;
			const queues = withoutTaken(state.queues, info.id, items);
			return open === state.open ? state : { ...state, open, queues, threads: withInfo(state, info) };
		}
		case 'openFailed':
			return openThreadId(state.open) === event.threadId
				? { ...state, open: { kind: 'failed', threadId: event.threadId, error: event.error } }
				: state;
		case 'earlier':
			return openThreadId(state.open) === event.threadId
				? { ...state, open: receiveEarlier(state.open, event.items, event.earlier) }
				: state;
		case 'update': {
			const begun = event.update.events.flatMap((each) => (each.type === 'item.start' ? [each.item] : []));
			const queues = withoutTaken(state.queues, event.update.threadId, begun);
			const next = { ...state, queues, threads: listAfterUpdate(state, event.update) };
			const open = receiveUpdate(state.open, event.update);
			return open.kind === 'none' && state.open.kind !== 'none' ? switchOpenThread(next, open) : { ...next, open };
		}
		case 'info':
			return { ...state, threads: withInfo(state, event.info), open: withOpenInfo(state.open, event.info) };
		case 'agents':
			return openThreadId(state.open) === event.threadId ? { ...state, agents: event.agents } : state;
		case 'desk':
			return { ...state, desk: event.desk };
		case 'answering':
			return { ...state, answering: [...state.answering, ...event.ids] };
		case 'answered':
			return { ...state, answering: state.answering.filter((id) => !event.ids.includes(id)) };
		case 'changes':
			return openThreadId(state.open) === event.threadId
				? { ...state, changes: event.changes, undone: event.undone }
				: state;
		case 'goBack':
			return { ...state, goingBack: event.to };
		case 'lastRestore':
			return openThreadId(state.open) === event.threadId ? { ...state, lastRestore: event.last } : state;
		case 'level':
			return openThreadId(state.open) === event.threadId ? { ...state, level: event.inForce } : state;
		case 'models':
			return { ...state, models: event.models };
		case 'fresh': {
			const { modelId = state.fresh.modelId, mode = state.fresh.mode, effort = state.fresh.effort } = event;
			return {
				...state,
				fresh: { modelId, mode, effort },
			};
		}
		case 'panel':
			return { ...state, panel: event.panel };
		case 'draft':
			// A change of the draft ends the question about the held message, which asked about its earlier text.
			return {
				...state,
				drafts: withDraft(state.drafts, event.threadId, event.draft),
				held: state.held?.from === 'draft' ? null : state.held,
			};
		case 'queue':
			return {
				...state,
				queues: withQueue(state.queues, event.threadId, event.queue),
				held: isStillQueued(state.held, event.queue) ? state.held : null,
			};
		case 'typed':
			return takeOverTyped(state, event.typed);
		case 'sending':
			return { ...state, isSending: event.isSending };
		case 'held':
			return { ...state, held: event.held };
		case 'aside':
			return { ...state, aside: event.aside };
		case 'problem':
			return { ...state, problem: event.error };
		case 'focusInput':
			return { ...state, panel: 'chat', focusRequests: state.focusRequests + 1 };
		default:
			return assertNever(event);
	}
}

/**
 * Takes what the previous page kept. Text typed in this page meanwhile wins, and belongs to the thread that is shown.
 */
function withKept(
	{ drafts, queues }: ViewState,
	threadId: ThreadId | null,
	kept: TypedInput,
): Pick<ViewState, 'drafts' | 'queues'> {
	const typed = readThreadDraft(drafts, null);
	const begun = typed === EMPTY_DRAFT ? kept.drafts : withDraft(kept.drafts, threadId, typed);
	return { drafts: begun, queues: { ...kept.queues, ...queues } };
}

/** False of a message that waited in the queue and is there no more. */
function isStillQueued(held: HeldMessage | null, queue: readonly QueuedMessage[]): boolean {
	const from = held?.from;
	return typeof from !== 'object' || !('queued' in from) || queue.some(({ id }) => id === from.queued);
}

function switchThread(state: ViewState, threadId: ThreadId | null): ViewState {
	return switchOpenThread(state, threadId === null ? { kind: 'none' } : beginLoading(state, threadId));
}

/** Another thread takes the place: what belonged to the last one goes with it, and what was chosen for a new one is not for the next. */
function switchOpenThread(state: ViewState, open: OpenThread): ViewState {
	const isSame = openThreadId(open) === openThreadId(state.open);
	const mode = open.kind === 'none' ? state.fresh.mode : (state.settings.mode ?? 'agent');
	return {
		...state,
		fresh: { ...state.fresh, mode },
		open,
		panel: 'chat',
		problem: null,
		held: isSame ? state.held : null,
		// A new thread in place of an empty one begins without it, too.
		aside: isSame && open.kind !== 'none' ? state.aside : null,
		agents: isSame ? state.agents : [],
		changes: isSame ? state.changes : [],
		undone: isSame ? state.undone : [],
		goingBack: isSame ? state.goingBack : null,
		lastRestore: isSame ? state.lastRestore : null,
		level: isSame ? state.level : null,
	};
}

/** A thread that is already open stays in sight while it is fetched again. */
function beginLoading(state: ViewState, threadId: NonNullable<ReturnType<typeof openThreadId>>): OpenThread {
	return state.open.kind === 'open' && state.open.snapshot.info.id === threadId
		? { ...state.open, gap: state.open.gap ?? [] }
		: { kind: 'loading', threadId, early: [] };
}

function withOpenInfo(open: OpenThread, info: { readonly id: string } & Parameters<typeof withInfo>[1]): OpenThread {
	return open.kind === 'open' && open.snapshot.info.id === info.id
		? { ...open, snapshot: { ...open.snapshot, info } }
		: open;
}

/** Takes over what was typed in another page. */
function takeOverTyped(state: ViewState, typed: TypedInput): ViewState {
	const drafts = Object.entries(typed.drafts).reduce((all, [key, draft]) => withDraftAt(all, key, draft), state.drafts);
	const queues = Object.entries(typed.queues).reduce(
		(all, [key, queue]) => withQueue(all, key as ThreadId, queue),
		state.queues,
	);
	return { ...state, drafts, queues };
}

/**
 * Applies the state of the server to the rest of the state: without a server no turn runs, and with a new one an old
 * failure is past.
 */
function followServer(state: ViewState, server: ServerState): ViewState {
	if (server.kind === 'degraded') {
		const threads = state.threads.map((info) => (info.running ? { ...info, running: false } : info));
		return { ...state, server, threads, open: openAtRest(state.open) };
	}
	const isOver = state.server.kind === 'degraded';
	return { ...state, server, problem: isOver ? null : state.problem };
}

function openAtRest(open: OpenThread): OpenThread {
	return open.kind === 'open' && open.snapshot.info.running ? { ...open, snapshot: atRest(open.snapshot) } : open;
}
