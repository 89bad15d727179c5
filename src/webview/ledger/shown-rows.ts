/** Rows of the ledger that the page holds: pages one below the other, the newest read again whenever something was recorded. */
import type { LedgerPageRow } from '../../protocol/pages/ledger-page.ts';

export interface ShownRows {
	/** Newest first. */
	readonly rows: readonly LedgerPageRow[];
	/** Where older ones go on. Null: there are none. */
	readonly next: number | null;
}

export function withOlder(shown: ShownRows, older: ShownRows): ShownRows {
	return { rows: [...shown.rows, ...older.rows], next: older.next };
}

/**
 * Replaces the newest rows with rows that were read again. The older rows stay, unless so much was recorded meanwhile
 * that there would be a gap.
 */
export function withNewest(shown: ShownRows, newest: ShownRows): ShownRows {
	const last = newest.rows.at(-1);
	const top = shown.rows[0];
	if (newest.next === null || last === undefined || top === undefined || last.place > top.place) {
		return newest;
	}
	const below = shown.rows.filter(({ place }) => place < last.place);
	return below.length === 0 ? newest : { rows: [...newest.rows, ...below], next: shown.next };
}
