/** The ledger as readable pages. Plain text: what it quotes came from models and commands. */
import type { LedgerRow, LedgerVerification } from '../../protocol/ledger.ts';

/** What is known of the chains: how the check ended, that it takes its time, or why there is none. */
export type Check =
	| { readonly kind: 'done'; readonly verification: LedgerVerification }
	| { readonly kind: 'running' }
	| { readonly kind: 'failed'; readonly why: string };

export interface LedgerPage {
	/** Newest first. */
	readonly rows: readonly LedgerRow[];
	/** More rows than these are not shown. */
	readonly limit: number;
	/** As the user typed it; empty: there is none. */
	readonly filter: string;
	readonly check: Check;
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

/** Where the time of a row stands in its line: what leads to all of it. */
export const LINK_CHARACTERS = columns[0]?.width ?? 0;

/** The page, and in which of its lines the first row stands. */
export function ledgerText({ rows, limit, filter, check, readAt }: LedgerPage): {
	readonly text: string;
	readonly firstRow: number;
} {
	const head = columns.map(({ title, width }) => fit(title, width)).join('  ');
	const lines = rows.map((row) =>
		columns
			.map(({ text, width }) => fit(text(row), width))
			.join('  ')
			.trimEnd(),
	);
	const before = [
		'Prowess ledger: every decision and every effect, newest first',
		`${verdict(check)} Read ${readAt.toISOString().slice(0, 19).replace('T', ' ')} UTC.`,
		filter === '' ? 'No filter.' : `Filter: ${fit(filter, 0)}`,
		'Refresh, filter and export with the buttons at the top right. Select the time of a row for its details.',
		'',
		head.trimEnd(),
		'─'.repeat(Math.min(160, head.length)),
	];
	const none = filter === '' ? 'Nothing has been recorded yet.' : 'Nothing that fits the filter is recorded.';
	const more = `Older rows are not shown here: narrow them with the filter, e.g. until:${rows.at(-1)?.at.slice(0, 19) ?? ''}, or export.`;
	const after = rows.length === 0 ? [none] : rows.length < limit ? [] : ['', more];
	return { text: [...before, ...lines, ...after, ...problemsOf(check), ''].join('\n'), firstRow: before.length };
}

/** Everything that is recorded of one op, oldest first; or of one row. */
export function entryText(rows: readonly LedgerRow[]): string {
	const [first] = rows;
	if (first === undefined) {
		return 'The ledger has no such row any more.\n';
	}
	const blocks = rows.map((row) =>
		Object.entries(row)
			.filter(([, value]) => value !== null && value !== undefined)
			.map(([name, value]) => `${name.padEnd(12)}${fit(String(value), 0)}\n`)
			.join(''),
	);
	return [`${first.opId ?? `${first.writer}:${first.seq}`}: ${first.op}\n`, ...blocks].join('\n');
}

function verdict(check: Check): string {
	switch (check.kind) {
		case 'running':
			return '… The chains are being checked.';
		case 'failed':
			return `✗ NOT CHECKED: ${fit(check.why, 0)}`;
		case 'done': {
			const { ok, rows, writers, removed } = check.verification;
			const older = removed === 0 ? '' : ` (${removed} older rows were removed by prowess.ledger.keepDays)`;
			const size = `${rows} ${rows === 1 ? 'row' : 'rows'} in ${writers} ${writers === 1 ? 'chain' : 'chains'}${older}`;
			return ok
				? `✓ Verified: ${size}, none changed or missing.`
				: `✗ NOT INTACT: ${size}; the problems are listed at the end.`;
		}
	}
}

/** Below the rows, so that a check that ends late moves none of them. */
function problemsOf(check: Check): string[] {
	if (check.kind !== 'done') {
		return [];
	}
	const { problems, faults } = check.verification;
	return [
		...problems.map(({ writer, seq, problem }) => `✗ chain ${writer}, row ${seq}: ${problem}`),
		...faults.map((fault) => `✗ ${fit(fault, 0)}`),
		...(faults.length === 0 ? [] : ['Once you have looked at it, run "Prowess: Acknowledge Ledger Damage".']),
	];
}

/** One line, no control characters; cut to the column unless it is the last. */
function fit(text: string, width: number): string {
	const plain = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ');
	if (width === 0) {
		return plain;
	}
	return plain.length > width ? `${plain.slice(0, width - 1)}…` : plain.padEnd(width);
}
