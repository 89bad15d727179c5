/** The ledger as the extension tells its page of it, whole: rows that a spec sets, filtered and in pages. */
import {
	type LedgerPageEntry,
	type LedgerPageFilter,
	type LedgerPageRow,
	type LedgerVerdict,
	NO_LEDGER_FILTER,
} from '../../../src/protocol/pages/ledger-page.ts';

const PAGE_ROWS = 100;

export const INTACT: LedgerVerdict = {
	state: 'intact',
	text: 'Verified: no row was changed or removed. Rows: 7. Chains: 1.',
	problems: [],
	advice: '',
	canAcknowledge: false,
};

export class FakeLedger {
	filter: LedgerPageFilter = NO_LEDGER_FILTER;
	/** Newest first. */
	rows: LedgerPageRow[] = [];
	readonly entries = new Map<string, LedgerPageEntry[]>();
	threads = [{ id: 'thr_1', title: 'Fix the failing test' }];
	verdict: LedgerVerdict = INTACT;

	read({ line, threadId, doer, end }: LedgerPageFilter, before: number | null) {
		if (line.includes('kind:denied')) {
			return { rows: [], next: null, threads: this.threads, problem: 'kind: takes intent, outcome; got "denied"' };
		}
		const fitting = this.rows.filter(
			(row) =>
				row.what.includes(line) &&
				(threadId === null || row.thread?.id === threadId) &&
				(doer === null || row.doer === doer) &&
				(end === null || row.end === end) &&
				(before === null || row.place < before),
		);
		const rows = fitting.slice(0, PAGE_ROWS);
		const next = fitting.length > PAGE_ROWS ? (rows.at(-1)?.place ?? null) : null;
		return { rows, next, threads: this.threads, problem: null };
	}
}

export function ledgerRow(place: number, given: Partial<LedgerPageRow> = {}): LedgerPageRow {
	return {
		id: `op_${place}`,
		place,
		at: '2026-11-20T12:00:00.000Z',
		what: `Read file-${place}.ts`,
		doer: 'agent',
		tool: null,
		end: 'done',
		result: 'Done',
		decidedBy: 'No question needed',
		thread: { id: 'thr_1', title: 'Fix the failing test', isOfScript: false },
		...given,
	};
}
