/** Functions that perform an op. Code that needs ops holds these instead of the broker. */
import type { OpOutcome, OpProgress, Receipt } from '../../protocol/turn/broker.ts';
import type { RunStep } from '../../protocol/turn/run-steps.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadMessage } from '../../protocol/execution/execution.ts';
import type { OpId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import type { Caller } from './caller.ts';
import type { PrepareContext, Prepared } from './op-implementation.ts';

/** Where a request came from: the connection decides it, nothing in the request does. */
export interface OpOrigin {
	readonly caller: Caller;
	onProgress(progress: OpProgress): void;
	/** This host has just made the id of the op: no earlier one can have been asked for it. */
	readonly isNewId?: true;
	/** This op was a part of what a person has said yes to, with the other one: they are not asked twice. Rules still count. */
	readonly approvedWith?: OpId;
	/** Prowess asks for it by itself, in its own words, and no model does. */
	readonly isOurs?: true;
	/** A person has agreed to exactly this command beforehand, as with an answer for its thread. Rules still count. */
	readonly isAgreed?: true;
	/** This is a poll, with nobody there: it is refused where it does more than read, and where a question would be asked. */
	readonly poll?: OpSeries;
	/** The conversation the caller works in, as its own connection tells it. Absent: there is none. */
	readThread?(signal: AbortSignal): Promise<readonly ThreadMessage[]>;
}

/**
 * Ops that are the same but for the time. The first has a row before its effect, and each that is decided otherwise; who
 * asks for them records what they find.
 */
export interface OpSeries {
	/** Which of them this is, from 1. */
	readonly number: number;
	/** Rules that allow these ops and no others: what the consent to the whole series covers. */
	readonly rules: readonly string[];
	/** Rows before their effects, by what was decided on which params. */
	readonly recorded: Map<string, Receipt>;
}

/** The op itself: its declaration and what carries it out. */
export interface OpWork {
	readonly op: string;
	readonly def: OpDef;
	prepare(params: unknown, context: PrepareContext): Promise<Prepared<unknown>>;
}

export interface RequestedOp {
	readonly opId: OpId;
	readonly op: string;
	readonly params: unknown;
}

/** State of a step of an execution, before a card gives it its number; neither redacted nor cut. */
export type NotedStep = Omit<RunStep, 'id' | 'at' | 'from'>;

/** Notes a step of an execution; with the same `key`, a new state of it. Without a key it is over at once. */
export type NoteStep = (executionId: string, key: string | undefined, state: NotedStep) => void;

/** Always resolves, with exactly one outcome. `signal` stops the op; its outcome still comes. */
export type PerformOp = (asked: RequestedOp, origin: OpOrigin, signal: AbortSignal) => Promise<OpOutcome>;

/** The same for an op of the host itself, which the user does: nobody else can name it. */
export type PerformForUser = (
	work: OpWork,
	asked: Omit<RequestedOp, 'op'>,
	threadId: ThreadId | null,
	signal: AbortSignal,
) => Promise<OpOutcome>;

/** Throws for an op that was not done, as the op. */
export function requireOpResult(outcome: OpOutcome, what: string): unknown {
	if (outcome.status !== 'done') {
		const { code, message, facts } = outcome.error;
		throw new ProwessError(code, message.startsWith(what) ? message : `${what}: ${message}`, facts);
	}
	return outcome.result;
}
