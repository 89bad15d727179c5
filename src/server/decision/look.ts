/** Runs a read-only op for a fast path. The user does not see the op, and it changes nothing. */
import type { OpInput, OpName, OpResult } from '../../protocol/ops.ts';
import { requestHostOp } from '../host/request-op.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

/** Rejects where the op fails or is denied: then the model answers. */
export async function runSilentOp<N extends OpName>(
	op: N,
	params: OpInput<N>,
	{ threadId, turnId }: Turn,
	{ host }: TurnDeps,
	signal: AbortSignal,
): Promise<OpResult<N>> {
	const read = await requestHostOp(op, params, { host, threadId, turnId }, signal);
	signal.throwIfAborted();
	if (!read.ok) {
		throw new Error(read.text);
	}
	return read.result;
}
