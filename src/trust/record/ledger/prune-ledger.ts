/** Removes old rows of the ledger when a host starts: loaded where the user has set how long they are kept. */
import type { LogPort } from '../../../contract/ports/ports.ts';
import { noteLook } from '../../../machine/home-files/settled-time.ts';
import type { HostLedger } from './ledger.ts';

interface PrunedLedger {
	readonly home: string;
	/** Above 0. */
	readonly keepDays: number;
	readonly ledger: Pick<HostLedger, 'prune'>;
	readonly log: LogPort;
}

/** Removes rows that were too old already at a look that a week of others has followed. Rejects where the ledger does not answer. */
export async function pruneLedger({ home, keepDays, ledger, log }: PrunedLedger, signal: AbortSignal): Promise<void> {
	const settled = await noteLook(home);
	if (settled === undefined) return;
	const removed = await ledger.prune(settled - keepDays * 86_400_000, signal);
	log.info('old rows of the ledger were removed', { removed, keepDays });
}
