/**
 * Refuses tools that the user has denied to the principal in whose name a thread works. Ops that a turn needs by itself
 * (housekeeping) are not tools.
 */
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import { isOpName, ops } from '../../../protocol/op-table/ops.ts';
import type { AccessOfThread } from '../../../protocol/approvals/access.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import { accessDenied } from '../../gate/access/access.ts';
import { type BrokerCall, denyCall, continueWith, type StepVerdict } from '../call.ts';

export function checkAccess(
	access: { of(threadId: ThreadId): AccessOfThread } | undefined,
	{ asked: { op }, origin, threadId }: BrokerCall,
): StepVerdict<null> {
	const def: OpDef | undefined = isOpName(op) ? ops[op] : undefined;
	const isTool = def?.tool !== undefined && def.isHousekeeping !== true;
	if (access === undefined || threadId === null || origin.caller.kind === 'user' || !isTool) {
		return continueWith(null);
	}
	const { principal, denied: rights } = access.of(threadId);
	if (!rights.includes('tools')) {
		return continueWith(null);
	}
	const { code, message, facts } = accessDenied(principal, 'tools', threadId);
	return denyCall(code, message, facts);
}
