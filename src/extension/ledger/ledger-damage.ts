/** Damage of the ledger: said in every window until the user has looked at it and says so. */
import * as vscode from 'vscode';
import type { Ledger } from '../../contract/ledger.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { EditorCommandId } from '../editor/command-table.ts';
import { askInDialog, inform, warn } from '../notices/notices.ts';

const SHOW: EditorCommandId = 'prowess.showLedger';

/** Says that there is damage, if there is; the page of the ledger says which. Never rejects. */
export async function tellLedgerDamage(ledger: Ledger, log: LogPort, signal: AbortSignal): Promise<void> {
	try {
		const faults = await ledger.faults(signal);
		for (const fault of faults) {
			log.warn(`ledger: ${fault}`);
		}
		const show = vscode.l10n.t('Show Ledger');
		const text = vscode.l10n.t('Part of the record of what Prowess did is damaged or missing.');
		if (faults.length > 0 && (await warn(text, show)) === show) {
			await vscode.commands.executeCommand(SHOW);
		}
	} catch (error) {
		// An op that needs the ledger says so itself.
		log.warn(`ledger: ${String(error)}`);
	}
}

/** False when there is nothing to acknowledge, or the user does not. */
export async function acknowledgeLedgerDamage(ledger: Ledger, signal: AbortSignal): Promise<boolean> {
	const faults = await ledger.faults(signal);
	if (faults.length === 0) {
		inform(vscode.l10n.t('The ledger has no damage that you could acknowledge.'));
		return false;
	}
	const question = vscode.l10n.t('Stop reporting this damage of the ledger? Damaged files are kept.');
	const yes = vscode.l10n.t('Acknowledge');
	if ((await askInDialog(question, faults, yes)) !== yes) {
		return false;
	}
	await ledger.acknowledge(signal);
	return true;
}
