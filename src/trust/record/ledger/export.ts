/** The ledger as a file for others: one JSON object per line, or CSV (RFC 4180) that a spreadsheet does not take for formulas. */
import type { ExportFormat } from '../../../contract/ledger.ts';
import type { LedgerRow } from '../../../protocol/approvals/ledger.ts';
import { HASHED_COLUMNS } from '../store/chain/chain.ts';

/** Columns of the export. The hashes that tie the rows together come last, because a table is read from the left. */
const EXPORT_COLUMNS = [...HASHED_COLUMNS.filter((column) => column !== 'prev'), 'prev', 'hash'] as const;

/** Pieces of the file, in order. */
export async function* exportRows(pages: AsyncIterable<LedgerRow[]>, format: ExportFormat): AsyncGenerator<string> {
	if (format === 'csv') {
		yield `${EXPORT_COLUMNS.join(',')}\r\n`;
	}
	for await (const rows of pages) {
		yield rows.map((row) => (format === 'csv' ? csvLine(row) : `${JSON.stringify(row)}\n`)).join('');
	}
}

function csvLine(row: LedgerRow): string {
	return `${EXPORT_COLUMNS.map((column) => csvCell(row[column])).join(',')}\r\n`;
}

function csvCell(value: string | number | null | undefined): string {
	if (typeof value !== 'string') {
		return value === null || value === undefined ? '' : String(value);
	}
	const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
