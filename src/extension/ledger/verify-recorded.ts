/** Counts how many ops that a turn shows are in the ledger, and checks that the ledger is intact. */
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { Ledger } from '../../contract/ledger.ts';
import type { RecordedOps } from '../../protocol/pages/chat-view.ts';
import type { OpId } from '../../protocol/ids.ts';
import { extensionLimits } from '../editor/limits.ts';

export async function verifyRecorded(
	ledger: Ledger,
	opIds: readonly OpId[],
	signal: AbortSignal,
): Promise<RecordedOps> {
	const limit = deriveSignal(signal, { what: 'verifying what is recorded', timeoutMs: extensionLimits.ledgerCheckMs });
	try {
		const { ok } = await ledger.verify(limit.signal);
		let recorded = 0;
		for (const opId of opIds) {
			limit.signal.throwIfAborted();
			recorded += (await ledger.query({ opId, limit: 1 })).length;
		}
		return { recorded, isIntact: ok };
	} finally {
		limit.dispose();
	}
}
