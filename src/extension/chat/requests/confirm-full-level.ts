/** The editor's own dialog before the widest permission level: the page that was pressed shows what a model wrote. */
import * as vscode from 'vscode';
import { confirmLoss } from '../../notices/notices.ts';

export async function confirmFullLevel(): Promise<boolean> {
	return await confirmLoss(
		vscode.l10n.t('Let this thread run commands without asking?'),
		[
			vscode.l10n.t(
				'At the level Full, commands run outside the sandbox too, with all that you may do on this machine.',
			),
			vscode.l10n.t('Use it only in a container. Protected files, secrets and dangerous commands still ask.'),
		],
		vscode.l10n.t('Use Full'),
	);
}
