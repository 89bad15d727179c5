/** State of a turn, and the services that it may use. */
import type { ContextRef } from '../../protocol/thread/context.ts';
import type { OpError } from '../../protocol/turn/broker.ts';
import type { ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { Judgement } from '../../protocol/turn/judgement.ts';
import type { Effort } from '../../protocol/turn/models.ts';
import type { WorkspaceInfo } from '../../protocol/server.ts';
import type { SkillTools } from '../../protocol/ops/skill-tools-left.ts';
import type { Settings } from '../../protocol/settings/settings.ts';
import type { Notice } from '../../protocol/thread/items.ts';
import type { AgentOfThread, PromptOptions } from '../../protocol/thread/thread-requests.ts';
import type { Mode, Strategy, TurnOutcome } from '../../protocol/thread/thread.ts';
import type { MessageBudgets } from '../history/budget.ts';
import type { OtherThreads, StoredResults } from '../history/stored-texts.ts';
import type { OverruleDesk } from '../host/overrule-desk.ts';
import type { HostBroker } from '../host/host-broker.ts';
import type { Log } from '../host/log.ts';
import type { ModelCatalog } from '../models/windows/catalog.ts';
import type { ModelMessage } from '../models/model-port.ts';
import type { Wait, WaitSkips } from '../models/failover/failover.ts';
import type { TurnJournal } from './journal.ts';
import type { Steering } from './steering.ts';

export interface Turn {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	readonly mode: Mode;
	/** Effort set for the thread; absent: as the settings say for the model. */
	readonly effort?: Effort | undefined;
	/** Agent of the thread: set for a sub-agent (with `parent`), and for a thread that follows a custom agent. */
	readonly agent?: AgentOfThread | undefined;
	/** Ops that its model is offered at most; absent: no others than of its mode and agent are left out. */
	readonly left?: readonly string[] | undefined;
	/** Tools that the skills which the thread follows leave to the turn; absent: all. */
	readonly skillTools?: readonly SkillTools[] | undefined;
	/** Null: the default one. */
	readonly modelId: string | null;
	readonly text: string;
	/** Options of this message; they go before those of the agent. */
	readonly options?: PromptOptions | undefined;
	/** The user's choice; absent: by what the message says. Once decided, what the turn follows. */
	readonly strategy?: Strategy | undefined;
	/** The fast path or strategy that the user had followed by a model's answer after all, and the turn that it decided; absent: none. */
	readonly overrules?: { readonly judgement: Judgement; readonly occasion: TurnId } | undefined;
	readonly context: readonly ContextRef[];
	/** Where the user's message lies; it is replaced once its context has been read. */
	readonly messageAt: number;
	/** The model that was found for the last turn that asked one. */
	readonly lastModelId: string | undefined;
	/** True when only the words of user and agent may be read of them. */
	readonly hidesDetails?: boolean | undefined;
	/** Messages before this turn as the model reads them, from the store. */
	readonly before: readonly ModelMessage[];
	/** Turns after this message that the user's retry of it took out of the thread; absent: none. */
	readonly removedLater?: number | undefined;
	/** The user took a retry back since the last message. */
	readonly isRestored?: boolean | undefined;
	/** The user went back before this message since the last one, with the files or without; absent: they did not. */
	readonly rewound?: { readonly turns: number; readonly files: 'restored' | 'kept' } | undefined;
	/** True when older messages have left the thread: a summary or a list stands for them. */
	readonly isPastCut: boolean;
	/** The workspace's instructions, and the capabilities, were given in an earlier turn. */
	readonly hasInstructions: boolean;
	/** Results of this thread, also those of earlier turns. */
	readonly results: StoredResults;
	readonly journal: TurnJournal;
	/** Messages that the user sends while it runs. */
	readonly steering: Steering;
}

export interface TurnDeps {
	readonly host: HostBroker;
	/** Tokens that messages may take of each model's window. */
	readonly budgets: MessageBudgets;
	readonly models: Pick<ModelCatalog, 'list' | 'line'>;
	readonly settings: () => Settings;
	readonly workspace: () => WorkspaceInfo;
	readonly threads: OtherThreads;
	/** The host is an editor. */
	readonly hasEditor: boolean;
	readonly log: Log;
	/** Aborts when this process ends. */
	readonly closing: AbortSignal;
	/** Counts of what users overrule; absent: nothing is counted. */
	readonly overrules?: OverruleDesk;
	/** Waits before a retry; only tests give a function. */
	readonly wait?: Wait;
	/** Lets the user end a wait before a retry. */
	readonly skips?: WaitSkips;
}

/** Outcome of a turn, and the notice about it in the thread. */
export interface SettledTurnEnd {
	readonly outcome: TurnOutcome;
	readonly error?: OpError;
	readonly notice?: Notice;
}
