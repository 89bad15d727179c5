/**
 * The editor's own dialog for an answer that is stored: the page that was pressed shows what a model wrote. The rule can be
 * changed there, in a box that says as one types why a rule would not do.
 */
import * as vscode from 'vscode';
import type { Approval } from '../../../protocol/approvals/approvals.ts';
import { type Text, titleInWords, translateText } from '../../../protocol/text/text.ts';
import { askInDialog } from '../../notices/notices.ts';
import type { KeptAnswer } from './desk-requests.ts';

/** Returns the answer to store; undefined: nothing is stored. */
export async function confirmKeptAnswer(
	approval: Approval,
	answer: KeptAnswer,
	whyNotRule: (rule: string) => Text | undefined,
): Promise<KeptAnswer | undefined> {
	const yes = vscode.l10n.t('Always Allow');
	const edit = vscode.l10n.t('Edit Rule…');
	// Consent to a capability is no rule that could be written otherwise.
	const canEdit = approval.pattern?.startsWith(`${approval.op} `) === true;
	const details = [
		titleInWords(approval, (template) => vscode.l10n.t(template)),
		translateText(approval.reason, (template) => vscode.l10n.t(template)),
	];
	const pressed = await askInDialog(describeKeptQuestion(approval, answer), details, yes, ...(canEdit ? [edit] : []));
	if (pressed !== edit) {
		return pressed === yes ? answer : undefined;
	}
	return await editedRule(approval, answer, whyNotRule);
}

async function editedRule(
	{ pattern, isProjectOffered }: Approval,
	answer: KeptAnswer,
	whyNotRule: (rule: string) => Text | undefined,
): Promise<KeptAnswer | undefined> {
	const rule = await vscode.window.showInputBox({
		title: vscode.l10n.t('Edit Rule'),
		prompt: vscode.l10n.t('Where a sandbox works, ** at the end of a command allows any words after it.'),
		value: answer.rule ?? pattern ?? '',
		ignoreFocusOut: true,
		validateInput(value) {
			const why = whyNotRule(value);
			return why === undefined ? undefined : translateText(why, (template) => vscode.l10n.t(template));
		},
	});
	if (rule === undefined) {
		return undefined;
	}
	const project = vscode.l10n.t('In This Project');
	const everywhere = vscode.l10n.t('In All Projects');
	const scopes = isProjectOffered ? [project, everywhere] : [everywhere];
	const chosen = await vscode.window.showQuickPick(scopes, {
		title: vscode.l10n.t('Where to Allow {0}', rule),
		ignoreFocusOut: true,
	});
	return chosen === undefined ? undefined : { kind: chosen === project ? 'project' : 'always', rule: rule.trim() };
}

function describeKeptQuestion({ pattern, isProjectOffered }: Approval, answer: KeptAnswer): string {
	const rule = answer.rule ?? pattern ?? '';
	if (answer.kind === 'project') {
		return vscode.l10n.t('Always allow "{0}" in this project?', rule);
	}
	return isProjectOffered
		? vscode.l10n.t('Always allow "{0}" in all projects?', rule)
		: vscode.l10n.t('Always allow "{0}"?', rule);
}
