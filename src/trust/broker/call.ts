/** State of one op on its way through the broker: the request, its caller, and the content of its ledger rows. */
import type { ErrorCode } from '../../protocol/errors.ts';
import { ProwessError } from '../../protocol/errors.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { RiskLevel } from '../../protocol/ops/risk.ts';
import type { Place } from '../gate/policy/executions/rate.ts';
import type { Assessment } from '../gate/policy/commands/risk-assessor.ts';
import { inTurn, type Text } from '../../protocol/text/text.ts';
import { riskOf } from '../gate/policy/levels/levels.ts';
import { triggerOf } from '../../contract/ops/caller.ts';
import { type Decision, NOT_JUDGED } from '../../contract/decision.ts';
import type { Asked, Origin } from '../../contract/ops/perform-op.ts';

/** Filled in as the steps go; each ledger row of the op is made of it. */
export interface Call {
	readonly asked: Asked;
	readonly origin: Origin;
	readonly trigger: string;
	readonly threadId: ThreadId | null;
	/** Time in ms after which the effect ends itself with a result; 0: the effect has no such limit. */
	readonly ownLimitMs: number;
	risk: RiskLevel;
	title: Text;
	decision: Decision;
	assessed: Assessment['level'] | null;
	paramsHash: string | null;
	/** In the window of its rate, from the check on. */
	place: Place | undefined;
	/** Why a hook wants the user to be asked, whatever would allow it. */
	hookAsks: string | undefined;
	/** Prediction of a model about the op; no decision uses it. */
	simulation: string | undefined;
	/** The result as it is, of an op that releases a secret. */
	released: { readonly result: unknown } | undefined;
}

/** Initial values of the fields of a call that the steps fill in. */
export const NOTHING_FOUND_YET = {
	decision: NOT_JUDGED,
	assessed: null,
	paramsHash: null,
	place: undefined,
	hookAsks: undefined,
	simulation: undefined,
	released: undefined,
} as const;

export function callOf(asked: Asked, origin: Origin, ownLimitMs: number): Call {
	return {
		asked,
		origin,
		trigger: triggerOf(origin.caller, asked.op),
		threadId: origin.caller.threadId,
		ownLimitMs,
		risk: riskOf(asked.op),
		title: inTurn(asked.op),
		...NOTHING_FOUND_YET,
	};
}

/** Result of a step: a value to go on with, or an end of the op without any effect. */
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
