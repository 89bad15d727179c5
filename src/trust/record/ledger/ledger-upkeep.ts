/** Maintains the ledger when a host starts: checks that it opens, notes a damaged one. */
import type { LogPort } from '../../../contract/ports/ports.ts';
import { hostNote, RECOVER_OP } from '../store/chain/host-note.ts';
import type { HostLedger as ChainedLedger } from './ledger.ts';

/** Opens the ledger now, so that whoever cannot use it knows why before the first op. */
export async function openLedgerAtStart(ledger: ChainedLedger, log: LogPort, isClosed: () => boolean): Promise<void> {
	try {
		await ledger.query({ limit: 1 });
	} catch (error) {
		if (!isClosed()) {
			log.error('the ledger cannot be used, so no effect is possible', { error: String(error) });
		}
	}
}

/**
 * Says so in the log, and in the ledger unless it says so already. `saved`: in words, what was saved of a damaged ledger, by
 * which the row was written with the saved ones.
 */
export async function noteMovedAside(
	ledger: ChainedLedger,
	path: string,
	saved: string | undefined,
	log: LogPort,
): Promise<void> {
	log.error('a damaged database was moved aside and a new one begun', saved === undefined ? { path } : { path, saved });
	if (saved !== undefined) {
		return;
	}
	const decision = `a damaged database was moved aside to ${path}`;
	try {
		await ledger.append({ ...hostNote(RECOVER_OP), decision, input: path }, true);
	} catch (error) {
		log.warn('that a database was moved aside could not be recorded', { path, error: String(error) });
	}
}
