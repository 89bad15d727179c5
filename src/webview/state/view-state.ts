/** Everything that the view shows. The state can be rebuilt at any moment from the extension's snapshots. */
import type { AgentView } from '../../protocol/agents/agent-view.ts';
import type { Desk } from '../../protocol/approvals/approvals.ts';
import type { FileChange } from '../../protocol/approvals/changes.ts';
import type { LastRestore } from '../../protocol/thread/restores.ts';
import type { ServerState, ViewSettings, WorkspaceState } from '../../protocol/pages/chat-view.ts';
import type { AnyError } from '../../protocol/errors/error-text.ts';
import type { ActiveFile, ContextRef } from '../../protocol/thread/context.ts';
import type { ApprovalId, ItemId, QuestionId, ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { Effort, ModelInfo } from '../../protocol/turn/models.ts';
import type { LevelInForce } from '../../protocol/ops/permission-level.ts';
import type { Mode, ThreadInfo, ThreadSnapshot, ThreadUpdate } from '../../protocol/thread/thread.ts';
import type { FoundSecrets } from '../../protocol/thread/thread-requests.ts';
import type { Drafts } from './drafts.ts';
import type { Queues } from './queue.ts';

/** The thread that is shown. `loading` keeps the updates that come before the snapshot does. */
export type OpenThread =
	| { readonly kind: 'none' }
	| { readonly kind: 'loading'; readonly threadId: ThreadId; readonly early: readonly ThreadUpdate[] }
	| { readonly kind: 'failed'; readonly threadId: ThreadId; readonly error: AnyError }
	| {
			readonly kind: 'open';
			readonly snapshot: ThreadSnapshot;
			/** An update was missed: the snapshot is old, and the updates since wait for a new one. */
			readonly gap: readonly ThreadUpdate[] | null;
	  };

export interface Models {
	readonly models: readonly ModelInfo[];
	readonly selected: string | null;
	readonly problems: readonly { readonly provider: string; readonly message: string }[];
	readonly resting: readonly { readonly provider: string; readonly seconds: number }[];
}

/** A message that the extension gave back because it contains keys: the user decides how it is sent. */
export interface HeldMessage {
	readonly threadId: ThreadId;
	readonly text: string;
	readonly refs: readonly ContextRef[];
	readonly found: FoundSecrets;
	/** Place it came from, where it still is. With a turn, it was to replace the message of that turn. */
	readonly from:
		| 'draft'
		| 'suggestion'
		| { readonly turnId: TurnId }
		| { readonly queued: ItemId; readonly how: 'prompt' | 'steer' };
}

/** Question beside the thread. Until there is an answer or an error, it is being asked. */
export interface Aside {
	readonly question: string;
	readonly answer: string | null;
	readonly error: AnyError | null;
}

export interface ViewState {
	/** `failed`: the extension did not answer; the reason is shown with a button. */
	readonly phase:
		| { readonly kind: 'starting' }
		| { readonly kind: 'ready' }
		| { readonly kind: 'failed'; readonly error: AnyError };
	readonly server: ServerState;
	readonly workspace: WorkspaceState;
	readonly settings: ViewSettings;
	/** File that the user looks at in the editor. */
	readonly activeFile: ActiveFile | null;
	readonly strings: Readonly<Record<string, string>>;
	readonly threads: readonly ThreadInfo[];
	/** They are those that a search has found. */
	readonly isSearch: boolean;
	readonly open: OpenThread;
	readonly desk: Desk;
	/** Sub-agents of the open thread, and theirs. */
	readonly agents: readonly AgentView[];
	/**
	 * Ids of approvals and questions with an answer on its way, wherever it was given; they take no other answer until
	 * it is known whether that was taken.
	 */
	readonly answering: readonly (ApprovalId | QuestionId)[];
	readonly changes: readonly FileChange[];
	/** Files of the open thread whose last undo can be taken back. */
	readonly undone: readonly string[];
	/** Way back that the user thinks about: the turn of its message, or `choose` before they have named one. */
	readonly goingBack: TurnId | 'choose' | null;
	/** Way back of the open thread that can be taken back. */
	readonly lastRestore: LastRestore | null;
	readonly models: Models | null;
	/** Permission level of the open thread, or of the one that the next message begins; null: not known yet. */
	readonly level: LevelInForce | null;
	/** Model, mode and effort of the thread that the next message begins. */
	readonly fresh: { readonly modelId: string | null; readonly mode: Mode; readonly effort: Effort | null };
	readonly panel: 'chat' | 'threads';
	readonly drafts: Drafts;
	/** Sent when the turn of their thread ends. */
	readonly queues: Queues;
	/** A message is on its way; the input waits for the answer. */
	readonly isSending: boolean;
	readonly held: HeldMessage | null;
	readonly aside: Aside | null;
	/** The last thing that went wrong, in a sentence for the user. */
	readonly problem: AnyError | null;
	/** Raised each time the input should take the focus. */
	readonly focusRequests: number;
}

export function initialState(): ViewState {
	return {
		phase: { kind: 'starting' },
		server: { kind: 'idle' },
		workspace: { trusted: true, folders: [], isSample: false },
		settings: { sendWith: 'enter', tellsActiveFile: false },
		activeFile: null,
		strings: {},
		threads: [],
		isSearch: false,
		open: { kind: 'none' },
		desk: { approvals: [], questions: [] },
		agents: [],
		answering: [],
		changes: [],
		undone: [],
		goingBack: null,
		lastRestore: null,
		models: null,
		level: null,
		fresh: { modelId: null, mode: 'agent', effort: null },
		panel: 'chat',
		drafts: {},
		queues: {},
		isSending: false,
		held: null,
		aside: null,
		problem: null,
		focusRequests: 0,
	};
}

export function openThreadId(open: OpenThread): ThreadId | null {
	switch (open.kind) {
		case 'none':
			return null;
		case 'open':
			return open.snapshot.info.id;
		case 'loading':
		case 'failed':
			return open.threadId;
	}
}

export function openSnapshot(open: OpenThread): ThreadSnapshot | null {
	return open.kind === 'open' ? open.snapshot : null;
}

/** A turn of this window runs in the open thread: then a message waits for its end, and it can be stopped. */
export function isOpenTurnRunning(state: ViewState): boolean {
	const info = openSnapshot(state.open)?.info;
	return info !== undefined && info.running && info.heldBy === undefined;
}

/** Returns the effort of the open thread, else of the next one; null: as the settings say. */
export function currentEffort(state: ViewState): Effort | null {
	return state.open.kind === 'open' ? (state.open.snapshot.info.effort ?? null) : state.fresh.effort;
}

/** The model that will answer: the thread's own, else the chosen one, else the default. */
export function currentModelId(state: ViewState): string | null {
	const own = state.open.kind === 'open' ? state.open.snapshot.info.modelId : state.fresh.modelId;
	return own ?? state.models?.selected ?? null;
}
