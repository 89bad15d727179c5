/**
 * Exports all rows of the ledger that the filter matches to a file for others. The ending of the file name decides
 * between a table and JSON lines.
 */
import * as vscode from 'vscode';
import type { Ledger } from '../../contract/ledger.ts';
import type { LedgerFilter } from '../../protocol/ledger.ts';
import { showErrorNotice, inform, withProgress } from '../notices/notices.ts';

/** `line`: the filter as the user reads it; empty: there is none. */
export async function exportLedgerToFile(ledger: Ledger, filter: LedgerFilter, line: string): Promise<void> {
	const uri = await vscode.window.showSaveDialog({
		title: line === '' ? vscode.l10n.t('Export Ledger') : vscode.l10n.t('Export Ledger: {0}', line),
		filters: { CSV: ['csv'], 'JSON Lines': ['jsonl'] },
		saveLabel: vscode.l10n.t('Export'),
	});
	if (uri === undefined) {
		return;
	}
	if (uri.scheme !== 'file') {
		showErrorNotice(vscode.l10n.t("Choose a folder on this machine's disk."));
		return;
	}
	const format = uri.path.toLowerCase().endsWith('.csv') ? 'csv' : 'jsonl';
	await withProgress(vscode.l10n.t('Exporting the ledger…'), (signal) =>
		ledger.exportTo(uri.fsPath, format, filter, signal),
	);
	const open = vscode.l10n.t('Open');
	if ((await inform(vscode.l10n.t('Exported the ledger to {0}.', uri.fsPath), open)) === open) {
		await vscode.window.showTextDocument(uri);
	}
}
