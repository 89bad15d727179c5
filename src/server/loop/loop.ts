/**
 * Input and environment of a loop of requests and calls, and the ways it ends. A turn is one such loop, a sub-turn is
 * another.
 */
import type { Effort } from '../../protocol/turn/models.ts';
import type { MessageBudgets } from '../history/budget.ts';
import type { OpHost } from '../host/host-broker.ts';
import type { FailoverTransition } from '../models/failover/failover-machine.ts';
import type { HistoryCut } from '../history/select.ts';
import type { ModelLine } from '../models/failover/model-line.ts';
import type { OpName } from '../../protocol/op-table/ops.ts';
import type { ItemId } from '../../protocol/rpc/ids.ts';
import type { ModelMessage, ModelUserMessage } from '../models/model-port.ts';
import type { OfferedTools } from '../tools/tool-split.ts';
import type { LoopJournal } from '../turn/journal.ts';
import type { Steering } from '../turn/steering.ts';
import type { BeginStep } from '../turn/stage-trace.ts';
import type { TurnDeps } from '../turn/turn.ts';
import type { Circle } from './guards/loop-guard.ts';

export interface Loop {
	/** System prompt of every request. */
	readonly system: string;
	/** Tokens reserved for the instructions and tools that go before the messages of each request. */
	readonly fixedTokens: number;
	/** The conversation it begins with, valid and whole: what of it is shown is cut for each request. */
	readonly messages: readonly ModelMessage[];
	/** Cut with which the model saw the conversation before. */
	readonly cut: HistoryCut;
	readonly tools: OfferedTools;
	/** Instructions of the workspace for what is worked on; a sub-turn has its own. */
	readonly instructions?: { followedBy(paths: readonly string[], signal: AbortSignal): Promise<string> };
	/** Effort that the models think with; absent: as the settings say. */
	readonly effort?: Effort | undefined;
	/** Model that answers, and the models that take over. */
	readonly models: ModelLine;
	/** Temperature of its requests; absent: as the settings say of the model. */
	readonly temperature?: number | undefined;
	/** Answers with calls whose calls run; absent: `maxIterations` alone counts. */
	readonly maxRounds?: number | undefined;
	/** US dollars that the turn may cost; absent: no limit. */
	readonly maxCost?: number | undefined;
	/** Cost of the turn so far with all that works for it; its own requests alone are in the journal. */
	readonly spent?: ((signal: AbortSignal) => Promise<number>) | undefined;
	/** Requests to the model before it ends. */
	readonly maxIterations: number;
	readonly journal: LoopJournal;
	/** The user's message; when present, the last answer is checked against recorded effects. Absent in a sub-turn. */
	readonly request?: string;
	/**
	 * Asks a hook of the user whether the loop is to go on; resolves with the reason, or undefined. `isAgain`: a hook
	 * has already made the loop go on. Absent in a sub-turn.
	 */
	readonly beforeRest?: (text: string, isAgain: boolean, signal: AbortSignal) => Promise<string | undefined>;
	/** Op that is to be called with success before the loop rests; it is asked for once. Absent: none. */
	readonly lastCall?: OpName | undefined;
	/** Tells hooks of the user that older messages leave. Absent in a sub-turn. */
	readonly beforeCompact?: (signal: AbortSignal) => Promise<void>;
	/** Older messages are not there any more, so what happened then is not known. */
	readonly isPastCut?: boolean;
	/** Messages that the user sends while the loop runs; absent in a sub-turn, which is sent nothing. */
	readonly steering?: LoopSteering;
}

export interface LoopSteering extends Pick<Steering, 'open' | 'close' | 'isWaiting'> {
	/** All that waits as one message, with what belongs to it; undefined when nothing waits. */
	read(signal: AbortSignal): Promise<SteeredMessage | undefined>;
}

export interface SteeredMessage {
	readonly message: ModelUserMessage;
	readonly items: readonly ItemId[];
}

export interface LoopDeps extends Pick<TurnDeps, 'settings' | 'wait' | 'skips' | 'closing'> {
	readonly host: OpHost;
	readonly budgets: MessageBudgets;
	/** Traces each request, and what the guard says of calls. */
	readonly beginStep?: BeginStep;
	/** Where an answer took more than one attempt: the transitions of its failover. */
	readonly onFailover?: (steps: readonly FailoverTransition[]) => void;
}

export type LoopEnd =
	| {
			readonly kind: 'done';
			readonly requests: number;
			/** Sentence of the answer that claims what nothing bears out, also after the model was told. */
			readonly unproven?: string;
	  }
	/** `maxRounds`: the limit of the message, and the calls of another round were not run (S1-16). */
	| { readonly kind: 'iterationLimit'; readonly requests: number; readonly maxRounds?: number }
	/** The requests so far have cost what the turn may cost. */
	| { readonly kind: 'costLimit'; readonly requests: number; readonly maxCost: number }
	/** The model goes in circles. */
	| { readonly kind: 'stuck'; readonly requests: number; readonly circle: Circle }
	/** Several responses in a row with no call that could be run. */
	| { readonly kind: 'badCalls'; readonly requests: number }
	/** Still stopping at its token limit after every continuation. */
	| { readonly kind: 'tooLong'; readonly requests: number }
	/**
	 * Still stopping at its token limit, and the last answer had no text to show: a call that was cut off, or only a
	 * thought.
	 */
	| { readonly kind: 'answersCut'; readonly requests: number }
	| { readonly kind: 'empty'; readonly requests: number }
	/** The model repeats the same text without end; the text until then is kept. */
	| { readonly kind: 'repeats'; readonly requests: number }
	/** Answer after answer has too many calls. */
	| { readonly kind: 'manyCalls'; readonly requests: number }
	/** The model would not answer. */
	| { readonly kind: 'refused'; readonly requests: number }
	/** The model's vendor withheld the answer. */
	| { readonly kind: 'filtered'; readonly requests: number }
	/** The stream ended too early; what came is kept. */
	| { readonly kind: 'cut'; readonly requests: number; readonly error: unknown };
