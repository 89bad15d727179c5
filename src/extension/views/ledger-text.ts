/** The ledger as a readable page, newest first. Plain text: what it quotes came from models and commands. */
import type { LedgerRow, LedgerVerification } from '../../protocol/ledger.ts';

export interface LedgerPage {
	readonly rows: readonly LedgerRow[];
	readonly verification: LedgerVerification;
	readonly readAt: Date;
}

const columns: readonly {
	readonly title: string;
	readonly width: number;
	readonly text: (row: LedgerRow) => string;
}[] = [
	{ title: 'Time (UTC)', width: 19, text: ({ at }) => at.slice(0, 19).replace('T', ' ') },
	{ title: 'Kind', width: 7, text: ({ kind }) => kind },
	{ title: 'Op', width: 18, text: ({ op }) => op },
	{ title: 'Risk', width: 10, text: ({ risk }) => risk ?? '' },
	{ title: 'Status', width: 9, text: ({ status }) => status ?? '' },
	{ title: 'Decision', width: 34, text: ({ decision }) => decision },
	{ title: 'By', width: 18, text: ({ trigger }) => trigger },
	{
		title: 'Input → output',
		width: 0,
		text: ({ input, output }) => (output === null ? input : `${input} → ${output}`),
	},
];

export function ledgerText({ rows, verification, readAt }: LedgerPage): string {
	const head = columns.map(({ title, width }) => fit(title, width)).join('  ');
	const lines = rows.map((row) =>
		columns
			.map(({ text, width }) => fit(text(row), width))
			.join('  ')
			.trimEnd(),
	);
	return [
		'Prowess ledger: every decision and every effect, newest first',
		`${verdict(verification)} Read ${readAt.toISOString().slice(0, 19).replace('T', ' ')} UTC; refresh with the button above.`,
		...verification.problems.map(({ writer, seq, problem }) => `  ✗ chain ${writer}, row ${seq}: ${problem}`),
		'',
		head.trimEnd(),
		'─'.repeat(Math.min(160, head.length)),
		...(lines.length === 0 ? ['Nothing has been recorded yet.'] : lines),
		'',
	].join('\n');
}

function verdict({ ok, rows, writers, removed }: LedgerVerification): string {
	const older = removed === 0 ? '' : ` (${removed} older ones were removed as the settings say)`;
	const size = `${rows} ${rows === 1 ? 'row' : 'rows'} in ${writers} ${writers === 1 ? 'chain' : 'chains'}${older}`;
	return ok ? `✓ Verified: ${size}, none changed or missing.` : `✗ NOT INTACT: ${size}.`;
}

/** One line, no control characters; cut to the column unless it is the last. */
function fit(text: string, width: number): string {
	const plain = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ');
	if (width === 0) {
		return plain;
	}
	return plain.length > width ? `${plain.slice(0, width - 1)}…` : plain.padEnd(width);
}
