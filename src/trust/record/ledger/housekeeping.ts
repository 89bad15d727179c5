/**
 * Acts that the agent does for itself in each thread, and the host for the ledger. None of them changes anything of the
 * user's.
 */
import { OP_NAMES, ops } from '../../../protocol/ops.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import { PRUNE_OP } from '../store/chain/host-note.ts';
import type { Housekeeping } from '../store/recorded-acts.ts';

const INSTRUCTIONS = 'AGENTS.md';

export const HOUSEKEEPING: Housekeeping = {
	ops: [...OP_NAMES.filter((name) => (ops[name] as OpDef).isHousekeeping), PRUNE_OP],
	reads: [`Read ${INSTRUCTIONS}`, `Read %/${INSTRUCTIONS}`],
};
