/** Words for what a check of the ledger found, as its page shows them: the result, the faults, and the remedies. */
import * as vscode from 'vscode';
import type { LedgerVerification } from '../../protocol/ledger.ts';
import type { LedgerVerdict } from '../../protocol/pages/ledger-page.ts';
import { extensionLimits } from '../editor/limits.ts';
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
