/**
 * Verdict on the ledger: the words for what a check found, the warning about damage in every window until the user has
 * looked at it, and which ops of a message are recorded.
 */
import * as vscode from 'vscode';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { Ledger } from '../../contract/ledger.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { OpId } from '../../protocol/rpc/ids.ts';
import type { LedgerVerification } from '../../protocol/approvals/ledger.ts';
import type { RecordedOps } from '../../protocol/pages/chat-view.ts';
import type { LedgerVerdict } from '../../protocol/pages/ledger-page.ts';
import type { EditorCommandId } from '../editor/command-table.ts';
import { extensionLimits } from '../editor/limits.ts';
import { askInDialog, inform, warn } from '../notices/notices.ts';
import { explainError } from '../notices/user-message.ts';

export function toLedgerVerdict({ ok, rows, writers, removed, problems, faults }: LedgerVerification): LedgerVerdict {
	const t = vscode.l10n.t;
	const older = removed === 0 ? [] : [t('{0} older rows were removed by prowess.ledger.keepDays.', removed)];
	const size = t('Rows: {0}. Chains: {1}.', rows, writers);
	if (ok) {
		const text = [t('Verified: no row was changed or removed.'), size, ...older].join(' ');
		return { state: 'intact', text, problems: [], advice: '', canAcknowledge: false };
	}
	const found = [
		...problems.map(({ writer, seq, problem }) => t('Chain {0}, row {1}: {2}', writer, seq, problem)),
		...faults,
	];
	const left = found.length - extensionLimits.ledgerProblems;
	return {
		state: 'damaged',
		text: [t('The ledger is damaged.'), size, ...older].join(' '),
		problems: [...found.slice(0, extensionLimits.ledgerProblems), ...(left > 0 ? [t('and {0} more', left)] : [])],
		advice: [
			t('Do not rely on the rows named here. Export the ledger and compare it with a copy you trust.'),
			...(faults.length === 0 ? [] : [t('Once you have looked at the damage, acknowledge it to stop the warning.')]),
		].join(' '),
		canAcknowledge: faults.length > 0,
	};
}

/** The check could not be made. */
export function noVerdict(error: unknown): LedgerVerdict {
	return {
		state: 'failed',
		text: `${vscode.l10n.t('The ledger could not be verified.')} ${explainError(error)}`,
		problems: [],
		advice: vscode.l10n.t('Nothing is done that cannot be recorded.'),
		canAcknowledge: false,
	};
}

/** Counts how many ops that a turn shows are in the ledger, and checks that the ledger is intact. */
export async function verifyRecorded(
	ledger: Ledger,
	opIds: readonly OpId[],
	signal: AbortSignal,
): Promise<RecordedOps> {
	const limit = deriveSignal(signal, { what: 'verifying what is recorded', timeoutMs: extensionLimits.ledgerCheckMs });
	try {
		const { ok } = await ledger.verify(limit.signal);
		let recorded = 0;
		for (const opId of opIds) {
			limit.signal.throwIfAborted();
			recorded += (await ledger.query({ opId, limit: 1 })).length;
		}
		return { recorded, isIntact: ok };
	} finally {
		limit.dispose();
	}
}

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
