/** Rows that a host writes about the ledger itself. */
import type { LedgerEntry } from './chain.ts';

/** Rows were removed because they are old. Holds the hash of where all chains begin. */
export const PRUNE_OP = 'ledger.prune';

/** Something was damaged or missing. Said by every check until the user acknowledges it. */
export const RECOVER_OP = 'ledger.recover';

/** The user has seen what was said before. */
export const ACKNOWLEDGE_OP = 'ledger.acknowledge';

/** Returns the fields that all notes of the host share; the caller adds `input` and `decision`. */
export function hostNote(op: string): Omit<LedgerEntry, 'input' | 'decision'> {
	return {
		kind: 'note',
		at: new Date().toISOString(),
		opId: null,
		op,
		trigger: 'host',
		threadId: null,
		risk: null,
		assessed: null,
		paramsHash: null,
		output: null,
		status: null,
		durationMs: null,
	};
}
