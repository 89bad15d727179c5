/** Lets the person answer for all calls of an answer at once that change or run something, before the first of them runs. */
import type { Disposable } from '../../../base/disposable.ts';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { MAX_ASKED_AHEAD } from '../../../protocol/broker.ts';
import { ProwessError } from '../../../protocol/errors.ts';
import { newId, type OpId } from '../../../protocol/ids.ts';
import { type OpName, ops } from '../../../protocol/ops.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import type { OpHost } from '../../host/host-broker.ts';
import type { LoopGuard } from '../guards/loop-guard.ts';
import type { ReadCall } from './read-call.ts';

type AskableCall = Extract<ReadCall, { kind: 'op' }>;

export interface AheadQuestions extends Disposable {
	/** Under which the host knows the call. */
	opIdOf(call: AskableCall): OpId;
}

/** Dispose takes back what is left of the questions. */
export function askAhead(
	calls: readonly ReadCall[],
	host: Pick<OpHost, 'askAhead'>,
	guard: Pick<LoopGuard, 'isNew'>,
	signal: AbortSignal,
): AheadQuestions {
	const asked = calls
		// A call that was made before may be refused as a circle when its turn comes, so it is not asked about ahead.
		.filter((call): call is AskableCall => call.kind === 'op' && hasEffect(call.op) && guard.isNew(call))
		.slice(0, MAX_ASKED_AHEAD);
	const ids = new Map(asked.map((call) => [call, newId('op')]));
	const resolveOpId = (call: AskableCall) => ids.get(call) ?? newId('op');
	if (asked.length < 2) {
		return { opIdOf: resolveOpId, dispose: () => {} };
	}
	const life = deriveSignal(signal);
	const list = asked.map((call) => ({ opId: resolveOpId(call), op: call.op, params: call.params }));
	// Whatever becomes of it, each call is judged in its turn.
	void host.askAhead(list, life.signal).catch(() => undefined);
	return {
		opIdOf: resolveOpId,
		dispose: () => {
			life.abort(new ProwessError('CANCELLED', 'the calls have ended'));
			life.dispose();
		},
	};
}

function hasEffect(op: OpName): boolean {
	const { effect }: OpDef = ops[op];
	return effect === 'write' || effect === 'execute';
}
