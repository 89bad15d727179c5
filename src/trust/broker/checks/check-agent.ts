/** A sub-agent, and what runs for it, asks for what is left to it only, and for nothing once it was terminated. */
import { isOpName, ops } from '../../../protocol/op-table/ops.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import { text } from '../../../protocol/text/text.ts';
import type { Lineage } from '../../../contract/lineage.ts';
import type { OpWork } from '../../../contract/ops/perform-op.ts';
import { type BrokerCall, denyCall, continueWith, type StepVerdict } from '../call.ts';

export function checkAgent(
	agents: Lineage | undefined,
	{ op }: OpWork,
	{ origin, threadId }: BrokerCall,
): StepVerdict<null> {
	if (agents === undefined || threadId === null || origin.caller.kind === 'user') {
		return continueWith(null);
	}
	const end = agents.endOf(threadId);
	if (end !== undefined) {
		return denyCall('DENIED_BY_RULE', `${op} is refused: ${end}`, {
			reason: text('This sub-agent was terminated. Write in its thread to go on with it.'),
		});
	}
	return isLeftTo(agents.opsOf(threadId), op)
		? continueWith(null)
		: denyCall('DENIED_BY_RULE', `${op} is not among the tools of this sub-agent; work without it, and say so`, {
				reason: text('{op} is not among the tools of this sub-agent.', { op }),
			});
}

/**
 * True when the list of a sub-agent lets an op pass. Ops that models are not told of always pass: the server and
 * capabilities ask for them.
 */
function isLeftTo(list: ReadonlySet<string> | undefined, op: string): boolean {
	const def: OpDef | undefined = isOpName(op) ? ops[op] : undefined;
	return list === undefined || def?.tool === undefined || def.isHousekeeping === true || list.has(op);
}
