import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LedgerPageRow } from '../../protocol/pages/ledger-page.ts';
import { withNewest, withOlder } from './shown-rows.ts';

const row = (place: number, result = 'Done') => ({ place, result }) as LedgerPageRow;
const rows = (...places: number[]) => places.map((place) => row(place));

describe('The rows that the page of the ledger holds', () => {
	it('grow downwards, page by page', () => {
		const shown = withOlder({ rows: rows(9, 8), next: 8 }, { rows: rows(7), next: null });
		assert.deepEqual(shown, { rows: rows(9, 8, 7), next: null });
	});

	it('take the new state of a row, and what is new above it, and keep what is below', () => {
		const shown = { rows: [row(9, 'No result'), ...rows(8, 7, 6)], next: 6 };
		const newest = { rows: rows(10, 9, 8), next: 8 };
		assert.deepEqual(withNewest(shown, newest), { rows: rows(10, 9, 8, 7, 6), next: 6 });
	});

	it('begin anew rather than hide a gap', () => {
		const newest = { rows: rows(30, 29), next: 29 };
		assert.deepEqual(withNewest({ rows: rows(9, 8), next: 8 }, newest), newest);
	});

	it('are those that were read where that is all of them', () => {
		const newest = { rows: rows(3), next: null };
		assert.deepEqual(withNewest({ rows: rows(2, 1), next: null }, newest), newest);
	});
});
