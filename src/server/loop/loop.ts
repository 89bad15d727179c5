/** What a loop of requests and calls works on and with, and how it ends. A turn is one such loop, a sub-turn is another. */
import type { Effort } from '../../protocol/models.ts';
import type { MessageBudgets } from '../history/budget.ts';
import type { FailoverStep } from '../models/failover/failover-machine.ts';
import type { Cut } from '../history/select.ts';
import type { OpHost } from '../host/op-host.ts';
import type { ModelLine } from '../models/failover/model-line.ts';
import type { ItemId } from '../../protocol/ids.ts';
import type { ModelMessage, UserMessage } from '../models/model-port.ts';
import type { LoopJournal } from '../turn/journal.ts';
import type { Steering } from '../turn/steering.ts';
import type { BeginStep } from '../turn/stage-trace.ts';
import type { TurnDeps } from '../turn/turn.ts';
import type { Circle } from './guards/loop-guard.ts';
import type { OfferedTools } from './calls/offered-tools.ts';

export interface Loop {
	/** What every request begins with. */
	readonly system: string;
	/** What goes before the messages of each request, instructions and tools, is within these. */
	readonly fixedTokens: number;
	/** The conversation it begins with, valid and whole: what of it is shown is cut for each request. */
	readonly messages: readonly ModelMessage[];
	/** How far the model saw it cut before. */
	readonly cut: Cut;
	readonly tools: OfferedTools;
	/** Instructions of the workspace for what is worked on; a sub-turn has its own. */
	readonly instructions?: { followedBy(paths: readonly string[], signal: AbortSignal): Promise<string> };
	/** How hard they think; absent: as the settings say. */
	readonly effort?: Effort | undefined;
	/** Who answers, and who takes over. */
	readonly models: ModelLine;
	/** Requests to the model before it ends. */
	readonly maxIterations: number;
	readonly journal: LoopJournal;
	/** What the user wrote: then the last answer is held against what happened. Absent in a sub-turn. */
	readonly request?: string;
	/** Whether a hook of the user has it go on, with the reason; `isAgain`: one has done so before. Absent in a sub-turn. */
	readonly beforeRest?: (text: string, isAgain: boolean, signal: AbortSignal) => Promise<string | undefined>;
	/** Tells hooks of the user that older messages leave. Absent in a sub-turn. */
	readonly beforeCompact?: (signal: AbortSignal) => Promise<void>;
	/** Older messages are not there any more, so what happened then is not known. */
	readonly isPastCut?: boolean;
	/** What the user sends while it runs; a sub-turn is sent nothing. */
	readonly steering?: LoopSteering;
}

export interface LoopSteering extends Pick<Steering, 'open' | 'close' | 'isWaiting'> {
	/** All that waits as one message, with what belongs to it; undefined when nothing waits. */
	read(signal: AbortSignal): Promise<SteeredMessage | undefined>;
}

export interface SteeredMessage {
	readonly message: UserMessage;
	readonly items: readonly ItemId[];
}

export interface LoopDeps extends Pick<TurnDeps, 'settings' | 'wait' | 'skips' | 'closing'> {
	readonly host: OpHost;
	readonly budgets: MessageBudgets;
	/** Traces each request, and what the guard says of calls. */
	readonly beginStep?: BeginStep;
	/** Where an answer took more than one attempt: the transitions of its failover. */
	readonly onFailover?: (steps: readonly FailoverStep[]) => void;
}

export type LoopEnd =
	| {
			readonly kind: 'done';
			readonly requests: number;
			/** Sentence of the answer that claims what nothing bears out, also after the model was told. */
			readonly unproven?: string;
	  }
	| { readonly kind: 'iterationLimit'; readonly requests: number }
	/** It goes in circles. */
	| { readonly kind: 'stuck'; readonly requests: number; readonly circle: Circle }
	/** Several responses in a row with no call that could be run. */
	| { readonly kind: 'badCalls'; readonly requests: number }
	/** Still stopping at its token limit after every continuation. */
	| { readonly kind: 'tooLong'; readonly requests: number }
	/** As long, and the last of them had no text to show: a call that was cut off, or only a thought. */
	| { readonly kind: 'answersCut'; readonly requests: number }
	| { readonly kind: 'empty'; readonly requests: number }
	/** It says the same for ever; what it said until then is kept. */
	| { readonly kind: 'repeats'; readonly requests: number }
	/** Answer after answer has too many calls. */
	| { readonly kind: 'manyCalls'; readonly requests: number }
	/** The model would not answer. */
	| { readonly kind: 'refused'; readonly requests: number }
	/** Its vendor would not let it. */
	| { readonly kind: 'filtered'; readonly requests: number }
	/** The stream ended too early; what came is kept. */
	| { readonly kind: 'cut'; readonly requests: number; readonly error: unknown };
