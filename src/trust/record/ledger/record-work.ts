/** Work that somebody wants done, in the ledger: intent before, outcome after. Without the intent nothing is done. */
import type { LedgerPort, NewEntry } from './ledger.ts';

/** Texts of the outcome. */
interface OutcomeWords<T> {
	summary(done: T): string;
	failure(error: unknown): string;
}

/** Rejects with LEDGER_UNWRITABLE, before anything is done, or as `work` does. */
export async function recordWork<T>(
	ledger: Pick<LedgerPort, 'append'>,
	entry: Omit<NewEntry, 'kind' | 'output' | 'status' | 'durationMs'>,
	work: () => Promise<T>,
	{ summary, failure }: OutcomeWords<T>,
): Promise<T> {
	await ledger.append({ ...entry, kind: 'intent', output: null, status: null, durationMs: null }, true);
	const startedAt = performance.now();
	const recordEnd = (status: string, output: string) =>
		ledger.append(
			{ ...entry, kind: 'outcome', output, status, durationMs: Math.round(performance.now() - startedAt) },
			false,
		);
	let done: T;
	try {
		done = await work();
	} catch (error) {
		// Report the original failure, even when the ledger cannot record it.
		await recordEnd('failed', failure(error)).catch(() => undefined);
		throw error;
	}
	await recordEnd('done', summary(done));
	return done;
}
