/** One op on its way through the broker: what was asked, by whom, and what the ledger will say of it. */
import type { OpProgress } from '../../protocol/broker.ts';
import type { ThreadMessage } from '../../protocol/execution.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import { ProwessError } from '../../protocol/errors.ts';
import type { OpId, ThreadId } from '../../protocol/ids.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import type { RiskLevel } from '../../protocol/risk.ts';
import type { Place } from '../gate/policy/rate.ts';
import type { Assessment } from '../gate/policy/risk-assessor.ts';
import type { Caller, PrepareContext, Prepared } from '../contract/op-implementation.ts';

/** Where a request came from: the connection decides it, nothing in the request does. */
export interface Origin {
	readonly caller: Caller;
	onProgress(progress: OpProgress): void;
	/** This host has just made the id of the op: no earlier one can have been asked for it. */
	readonly isNewId?: true;
	/** The conversation the caller works in, as its own connection tells it. Absent: there is none. */
	readThread?(signal: AbortSignal): Promise<readonly ThreadMessage[]>;
}

/** The op itself: its declaration and what carries it out. */
export interface Work {
	readonly op: string;
	readonly def: OpDef;
	prepare(params: unknown, context: PrepareContext): Promise<Prepared<unknown>>;
}

export interface Asked {
	readonly opId: OpId;
	readonly op: string;
	readonly params: unknown;
}

/** Filled in as the steps go; each ledger row of the op is made of it. */
export interface Call {
	readonly asked: Asked;
	readonly origin: Origin;
	readonly trigger: string;
	readonly threadId: ThreadId | null;
	/** What the effect may take before it ends itself with a result; 0: it does not. */
	readonly ownLimitMs: number;
	risk: RiskLevel;
	input: string;
	decision: string;
	assessed: Assessment['level'] | null;
	paramsHash: string | null;
	/** In the window of its rate, from the check on. */
	place: Place | undefined;
	/** The result as it is, of an op that releases a secret. */
	released: { readonly result: unknown } | undefined;
}

/** What a step says: go on with a value, or an end of the op without any effect. */
export type Verdict<T> = { readonly kind: 'go'; readonly value: T } | Refusal;

export interface Refusal {
	readonly kind: 'refused';
	readonly status: 'failed' | 'denied';
	readonly error: ProwessError;
}

export function go<T>(value: T): Verdict<T> {
	return { kind: 'go', value };
}

export function denied(code: ErrorCode, message: string, facts: ProwessError['facts'] = {}): Refusal {
	return { kind: 'refused', status: 'denied', error: new ProwessError(code, message, facts) };
}

export function failed(error: ProwessError): Refusal {
	return { kind: 'refused', status: 'failed', error };
}

/** Whose ops these are: two callers are one only when this is the same. */
export function identityOf(caller: Caller): string {
	switch (caller.kind) {
		case 'agent':
			return `agent:${caller.threadId}`;
		case 'execution':
			return `execution:${caller.executionId}`;
		case 'user':
			return 'user';
	}
}

/** What set the op off, as the ledger says it: of a capability which one, by which op, in which run of it. */
export function triggerOf(caller: Caller, op: string): string {
	return caller.kind === 'execution' ? `${caller.capability}:${op} (${caller.executionId})` : identityOf(caller);
}
