/** The editor's own dialog for an answer that is stored: the page that was pressed shows what a model wrote. */
import * as vscode from 'vscode';
import type { Approval } from '../../protocol/approvals.ts';
import { wordsOf } from '../../protocol/text.ts';
import { ask } from '../notices.ts';
import type { KeptAnswer } from './desk-requests.ts';

export async function confirmKeptAnswer(approval: Approval, answer: KeptAnswer): Promise<boolean> {
	const yes = vscode.l10n.t('Always Allow');
	const reason = wordsOf(approval.reason, (template) => vscode.l10n.t(template));
	return (await ask(questionOf(approval, answer), [approval.title, reason], yes)) === yes;
}

function questionOf({ pattern, isProjectOffered }: Approval, answer: KeptAnswer): string {
	const rule = pattern ?? '';
	if (answer.kind === 'project') {
		return vscode.l10n.t('Always allow "{0}" in this project?', rule);
	}
	return isProjectOffered
		? vscode.l10n.t('Always allow "{0}" in all projects?', rule)
		: vscode.l10n.t('Always allow "{0}"?', rule);
}
