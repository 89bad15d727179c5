/** The view's end of the conversation with the extension: builds the state from snapshots and follows the notifications. */
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { deskNotifications } from '../../protocol/approvals/approvals.ts';
import { changeNotifications } from '../../protocol/approvals/changes.ts';
import { viewNotifications, viewRequests } from '../../protocol/pages/chat-view.ts';
import { modelNotifications } from '../../protocol/turn/models.ts';
import { threadNotifications } from '../../protocol/thread/thread-requests.ts';
import { levelNotifications } from '../../protocol/thread/thread-level.ts';
import { type AgentActions, agentActions } from './agent-actions.ts';
import type { ActionContext } from './asking.ts';
import { toAnyError } from '../parts/tried-calls.ts';
import { type DeskActions, deskActions } from './desk-actions.ts';
import { type DraftActions, draftActions } from './draft-actions.ts';
import { type EditorActions, editorActions } from './editor-actions.ts';
import { type LevelActions, levelActions } from './level-actions.ts';
import { type PictureActions, pictureActions } from './picture-actions.ts';
import { type RestoreActions, restoreActions } from './restore-actions.ts';
import { type ThreadActions, threadActions } from './thread-actions.ts';
import { keepTyped } from './keep-typed.ts';
import { openThreadId } from '../state/view-state.ts';

export interface ChatConversation {
	readonly threads: ThreadActions;
	readonly desk: DeskActions;
	readonly drafts: DraftActions;
	readonly agents: AgentActions;
	readonly editor: EditorActions;
	readonly levels: LevelActions;
	readonly pictures: PictureActions;
	readonly restores: RestoreActions;
	/** Asks for everything; also after a failure, on the user's wish, and once the workspace is trusted. */
	start(): Promise<void>;
}

export function createConversation(asking: ActionContext): ChatConversation & Disposable {
	const { peer, store, signal } = asking;
	const threads = threadActions(asking);
	const desk = deskActions(asking);
	const agents = agentActions(asking);
	const editor = editorActions(asking);
	const levels = levelActions(asking);
	const drafts = draftActions(asking);
	const pictures = pictureActions(asking, drafts);
	const restores = restoreActions(asking, (threadId) => threads.show(threadId));
	const listening = new DisposableStore();
	listening.add(agents.follow());
	const keeping = listening.add(keepTyped(asking));

	async function refreshAll(): Promise<void> {
		const threadId = openThreadId(store.state.open);
		const open = threadId === null ? [] : [threads.fetchOpen(threadId), threads.fetchChanges(threadId), agents.fetch()];
		await Promise.all([threads.list(''), desk.list(), editor.listModels(), levels.fetch(), ...open]);
	}

	async function startConversation(): Promise<void> {
		try {
			const started = await peer.call(viewRequests.start, {}, signal);
			keeping.begin(started.typed);
			store.dispatch({ type: 'started', ...started });
		} catch (error) {
			store.dispatch({ type: 'startFailed', error: toAnyError(error) });
			return;
		}
		await refreshAll();
	}

	listening.add(
		peer.on(viewNotifications, {
			server(server) {
				const wasRunning = store.state.server.kind === 'running';
				store.dispatch({ type: 'server', server });
				if (server.kind === 'running' && !wasRunning) {
					void refreshAll();
				}
			},
			workspace(workspace) {
				const wasTrusted = store.state.workspace.trusted;
				store.dispatch({ type: 'workspace', workspace });
				if (workspace.trusted && !wasTrusted) {
					// Before, it was refused everything that it asked for.
					void startConversation();
				}
			},
			settings: (settings) => store.dispatch({ type: 'settings', settings }),
			activeFile: (activeFile) => store.dispatch({ type: 'activeFile', activeFile }),
			showThread({ threadId }) {
				void threads.show(threadId);
				store.dispatch({ type: 'focusInput' });
			},
			insert({ refs, text, send }) {
				const threadId = openThreadId(store.state.open);
				drafts.insert(threadId, { text, refs }, 'below');
				const draft = drafts.of(threadId);
				if (send && draft.text.trim() !== '') {
					void threads.send(draft.text, draft.refs, true);
				}
			},
			takeTour: () => void threads.takeTour(),
			focus: () => store.dispatch({ type: 'focusInput' }),
			typed: (typed) => keeping.take(typed),
		}),
	);
	listening.add(
		peer.on(threadNotifications, {
			update(update) {
				const shown = openThreadId(store.state.open);
				store.dispatch({ type: 'update', update });
				const end = update.events.find((event) => event.type === 'turn.end');
				if (update.isElsewhere === true) {
					// The turn ran in another host, which knows what it changed in files.
					if (end !== undefined) {
						void threads.fetchChanges(update.threadId);
					}
				} else if (end?.outcome === 'done') {
					// After a turn that was stopped or failed, the user says whether what waits is still meant.
					void threads.sendQueued(update.threadId);
				}
				const { open } = store.state;
				if (shown !== null && open.kind === 'none') {
					// The shown thread was deleted. Show none, so that the next window does not ask for it.
					void threads.show(null);
				} else if (open.kind === 'open' && open.gap !== null) {
					void threads.fetchOpen(open.snapshot.info.id);
				}
			},
		}),
	);
	listening.add(peer.on(deskNotifications, { changed: (changed) => store.dispatch({ type: 'desk', desk: changed }) }));
	listening.add(
		peer.on(changeNotifications, {
			changed: (changed) => store.dispatch({ type: 'changes', ...changed }),
		}),
	);
	listening.add(
		peer.on(levelNotifications, {
			changed: ({ threadId, inForce }) => store.dispatch({ type: 'level', threadId, inForce }),
		}),
	);
	listening.add(peer.on(modelNotifications, { changed: () => void editor.listModels() }));
	return {
		threads,
		agents,
		desk,
		drafts,
		editor,
		levels,
		pictures,
		restores,
		start: startConversation,
		dispose: () => listening.dispose(),
	};
}
