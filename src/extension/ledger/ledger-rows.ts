/** Acts and rows of the ledger as its page shows them: in words, in the user's language and time. */
import { escapeToLine } from '../../base/text/one-line.ts';
import * as vscode from 'vscode';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import { describeLedgerAct } from '../../trust/record/ledger/act-words.ts';
import type { LedgerRow, RecordedAct } from '../../protocol/approvals/ledger.ts';
import type { LedgerPageEntry, LedgerPageRow } from '../../protocol/pages/ledger-page.ts';
import { type Text, translateText } from '../../protocol/text/text.ts';

/** Facts of threads by their ids: titles of those that there are, and which only name the run of a script. */
interface LedgerThreads {
	readonly titles: ReadonlyMap<string, string>;
	readonly ofScripts: ReadonlySet<string>;
}

export function pageRow(
	act: RecordedAct,
	{ titles, ofScripts }: LedgerThreads,
	translateTitle: (title: string) => string,
): LedgerPageRow {
	const { id, at, what, doer, tool, end, result, decidedBy, threadId } = describeLedgerAct(act);
	return {
		id,
		place: act.first.id,
		at,
		what: escapeToLine(translateTitle(what)),
		doer: escapeToLine(doer),
		tool: tool === null ? null : escapeToLine(tool),
		end,
		result: translateLedgerText(result),
		decidedBy: translateLedgerText(decidedBy),
		thread:
			threadId === null
				? null
				: { id: threadId, title: formatThreadTitle(titles.get(threadId)), isOfScript: ofScripts.has(threadId) },
	};
}

/** Untitled ones have a name, too. */
export function formatThreadTitle(title: string): string;
export function formatThreadTitle(title: string | undefined): string | null;
export function formatThreadTitle(title: string | undefined): string | null {
	return title === undefined ? null : title.trim() === '' ? vscode.l10n.t('New thread') : escapeToLine(title);
}

/** Everything that is recorded of one row: what a reader understands, and apart from it what ties it into its chain. */
export function pageEntry(row: LedgerRow): LedgerPageEntry {
	const t = vscode.l10n.t;
	const at = new Date(row.at);
	const local = at.toLocaleString(vscode.env.language, { dateStyle: 'full', timeStyle: 'long' });
	const facts: readonly (readonly [label: string, text: string | null | undefined])[] = [
		[t('Local time'), local],
		[t('Time (UTC)'), row.at.replace('T', ' ').replace('Z', ' UTC')],
		[t('What was done'), row.input],
		[t('Result'), row.output],
		[t('Status'), row.status],
		[t('Time taken'), row.durationMs === null ? null : t('{0} ms', Math.round(row.durationMs))],
		[t('Decision'), row.decision],
		[t('Risk level'), row.risk],
		[t('Risk of the params'), row.assessed],
		[t('Done by'), row.trigger],
		[t('Op'), row.op],
		[t('Op id'), row.opId],
		[t('Thread'), row.threadId],
	];
	const hashes: readonly (readonly [label: string, text: string | null])[] = [
		[t('Hash of the params'), row.paramsHash],
		[t('Hash of the row'), row.hash],
		[t('Hash of the row before'), row.prev],
		[t('Chain and number'), `${row.writer}:${row.seq}`],
	];
	return { title: kindText(row.kind), facts: toLabeledFacts(facts), hashes: toLabeledFacts(hashes) };
}

function toLabeledFacts(pairs: readonly (readonly [string, string | null | undefined])[]): LedgerPageEntry['facts'] {
	return pairs.flatMap(([label, text]) =>
		text === null || text === undefined || text === '' ? [] : [{ label, text: escapeInvisible(text, 'lines') }],
	);
}

function kindText(kind: LedgerRow['kind']): string {
	switch (kind) {
		case 'intent':
			return vscode.l10n.t('Before it began');
		case 'outcome':
			return vscode.l10n.t('Outcome');
		case 'denial':
			return vscode.l10n.t('Denial');
		case 'note':
			return vscode.l10n.t('Note');
		default:
			return kind satisfies never;
	}
}

function translateLedgerText(words: Text): string {
	return translateText(words, (template) => vscode.l10n.t(template));
}
