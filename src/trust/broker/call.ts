/** State of one op on its way through the broker: the request, its caller, and the content of its ledger rows. */
import type { ErrorCode } from '../../protocol/errors/errors.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import { isOpName, ops } from '../../protocol/op-table/ops.ts';
import type { RiskLevel } from '../../protocol/ops/risk.ts';
import type { RatePlace } from '../gate/policy/executions/rate.ts';
import type { Assessment } from '../gate/policy/commands/risk-assessor.ts';
import { joinTexts, type Text } from '../../protocol/text/text.ts';
import { resolveOpRisk } from '../gate/policy/levels/levels.ts';
import { formatOpTrigger } from '../../contract/ops/caller.ts';
import { type OpDecision, NOT_JUDGED } from '../../contract/decision.ts';
import type { RequestedOp, OpOrigin } from '../../contract/ops/perform-op.ts';

/** Filled in as the steps go; each ledger row of the op is made of it. */
export interface BrokerCall {
	readonly asked: RequestedOp;
	/** Params as others may see them: without the secret that one of them is. */
	readonly shownParams: unknown;
	readonly origin: OpOrigin;
	readonly trigger: string;
	readonly threadId: ThreadId | null;
	/** Time in ms after which the effect ends itself with a result; 0: the effect has no such limit. */
	readonly ownLimitMs: number;
	risk: RiskLevel;
	/** Params as the op declares them; undefined until they are read. */
	params: unknown;
	title: Text;
	decision: OpDecision;
	assessed: Assessment['level'] | null;
	paramsHash: string | null;
	/** In the window of its rate, from the check on. */
	place: RatePlace | undefined;
	/** Why a hook wants the user to be asked, whatever would allow it. */
	hookAsks: string | undefined;
	/** Prediction of a model about the op; no decision uses it. */
	simulation: string | undefined;
	/** Connections of commands of its thread before it began. */
	connectionsBefore: number;
	/** Labels of the texts from outside that it returns. */
	outside: readonly string[];
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
	params: undefined,
	outside: [],
	connectionsBefore: 0,
} as const;

export function createCall(asked: RequestedOp, origin: OpOrigin, ownLimitMs: number): BrokerCall {
	return {
		asked,
		shownParams: showParams(asked),
		origin,
		trigger: formatOpTrigger(origin.caller, asked.op),
		threadId: origin.caller.threadId,
		ownLimitMs,
		risk: resolveOpRisk(asked.op),
		title: joinTexts(asked.op),
		...NOTHING_FOUND_YET,
	};
}

/** Returns params as others may see them, and as the hash in the ledger is made: a hash of a short secret could be guessed. */
export function showParams({ op, params }: Pick<RequestedOp, 'op' | 'params'>): unknown {
	const secretParam = isOpName(op) ? (ops[op] as OpDef).secretParam : undefined;
	const isGiven = secretParam !== undefined && typeof params === 'object' && params !== null && secretParam in params;
	return isGiven ? { ...params, [secretParam]: '<redacted:secret>' } : params;
}

/** Result of a step: a value to go on with, or an end of the op without any effect. */
export type StepVerdict<T> = { readonly kind: 'go'; readonly value: T } | CallRefusal;

export interface CallRefusal {
	readonly kind: 'refused';
	readonly status: 'failed' | 'denied';
	readonly error: ProwessError;
}

export function continueWith<T>(value: T): StepVerdict<T> {
	return { kind: 'go', value };
}

export function denyCall(code: ErrorCode, message: string, facts: ProwessError['facts'] = {}): CallRefusal {
	return { kind: 'refused', status: 'denied', error: new ProwessError(code, message, facts) };
}

export function failCall(error: ProwessError): CallRefusal {
	return { kind: 'refused', status: 'failed', error };
}
