/** The closed union of all that can happen to the view's state. */
import type { Effort } from '../../protocol/turn/models.ts';
import type { AgentView } from '../../protocol/agents/agent-view.ts';
import type { Desk } from '../../protocol/approvals/approvals.ts';
import type { FileChange } from '../../protocol/approvals/changes.ts';
import type { LastRestore } from '../../protocol/thread/restores.ts';
import type { TypedInput } from '../../protocol/pages/typed-input.ts';
import type { ServerState, ViewSettings, WorkspaceState } from '../../protocol/pages/chat-view.ts';
import type { ActiveFile } from '../../protocol/thread/context.ts';
import type { AnyError } from '../../protocol/errors/error-text.ts';
import type { ApprovalId, QuestionId, ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { LevelInForce } from '../../protocol/ops/permission-level.ts';
import type { ThreadItem } from '../../protocol/thread/items.ts';
import type { Mode, ThreadInfo, ThreadSnapshot, ThreadUpdate } from '../../protocol/thread/thread.ts';
import type { ThreadDraft } from './drafts.ts';
import type { QueuedMessage } from './queue.ts';
import type { Aside, HeldMessage, Models } from './view-state.ts';

export type ViewEvent =
	| {
			readonly type: 'started';
			readonly server: ServerState;
			readonly workspace: WorkspaceState;
			readonly settings: ViewSettings;
			readonly activeFile: ActiveFile | null;
			readonly strings: Readonly<Record<string, string>>;
			/** Shown next. */
			readonly threadId: ThreadId | null;
			readonly typed: TypedInput;
	  }
	| { readonly type: 'startFailed'; readonly error: AnyError }
	| { readonly type: 'server'; readonly server: ServerState }
	| { readonly type: 'workspace'; readonly workspace: WorkspaceState }
	| { readonly type: 'settings'; readonly settings: ViewSettings }
	| { readonly type: 'activeFile'; readonly activeFile: ActiveFile | null }
	| { readonly type: 'threads'; readonly threads: readonly ThreadInfo[]; readonly isSearch: boolean }
	| { readonly type: 'threadShown'; readonly threadId: ThreadId | null }
	| { readonly type: 'snapshot'; readonly snapshot: ThreadSnapshot }
	| { readonly type: 'openFailed'; readonly threadId: ThreadId; readonly error: AnyError }
	| {
			readonly type: 'earlier';
			readonly threadId: ThreadId;
			readonly items: readonly ThreadItem[];
			readonly earlier: number;
	  }
	| { readonly type: 'update'; readonly update: ThreadUpdate }
	| { readonly type: 'info'; readonly info: ThreadInfo }
	| { readonly type: 'desk'; readonly desk: Desk }
	| { readonly type: 'agents'; readonly threadId: ThreadId; readonly agents: readonly AgentView[] }
	| { readonly type: 'answering' | 'answered'; readonly ids: readonly (ApprovalId | QuestionId)[] }
	| {
			readonly type: 'changes';
			readonly threadId: ThreadId;
			readonly changes: readonly FileChange[];
			readonly undone: readonly string[];
	  }
	| { readonly type: 'goBack'; readonly to: TurnId | 'choose' | null }
	| { readonly type: 'lastRestore'; readonly threadId: ThreadId; readonly last: LastRestore | null }
	| { readonly type: 'level'; readonly threadId: ThreadId | null; readonly inForce: LevelInForce }
	| { readonly type: 'models'; readonly models: Models }
	| { readonly type: 'fresh'; readonly modelId?: string | null; readonly mode?: Mode; readonly effort?: Effort | null }
	| { readonly type: 'panel'; readonly panel: 'chat' | 'threads' }
	| { readonly type: 'draft'; readonly threadId: ThreadId | null; readonly draft: ThreadDraft }
	| { readonly type: 'queue'; readonly threadId: ThreadId; readonly queue: readonly QueuedMessage[] }
	| { readonly type: 'typed'; readonly typed: TypedInput }
	| { readonly type: 'sending'; readonly isSending: boolean }
	| { readonly type: 'held'; readonly held: HeldMessage | null }
	| { readonly type: 'aside'; readonly aside: Aside | null }
	| { readonly type: 'problem'; readonly error: AnyError | null }
	| { readonly type: 'focusInput' };
