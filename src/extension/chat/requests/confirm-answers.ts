/**
 * The editor's own dialogs for an answer that is dangerous, that is stored or that widens the level: the page that was
 * pressed shows what a model wrote. A rule can be changed there, in a box that says as one types why it would not do.
 */
import * as vscode from 'vscode';
import type { Approval, ApprovalDetail } from '../../../protocol/approvals/approvals.ts';
import { needsInWords } from '../../../protocol/ops/commands/command-needs.ts';
import { promptedCommands } from '../../../protocol/ops/commands/typed-command.ts';
import { type Text, titleInWords, translateText } from '../../../protocol/text/text.ts';
import { askInDialog, confirmLoss } from '../../notices/notices.ts';
import type { KeptAnswer } from './desk-requests.ts';

const translateDanger = (template: string) => vscode.l10n.t(template);

/**
 * The editor's own dialog for a yes to what is dangerous, with the whole of it: the page that was pressed shows what a model
 * wrote, and can be made to show less.
 */
export async function confirmDangerous({ detail, title, warning }: Approval): Promise<boolean> {
	const question =
		detail.kind === 'command' ? vscode.l10n.t('Run this dangerous command?') : vscode.l10n.t('Allow this?');
	const risks = (warning?.reasons ?? []).map((reason) => `• ${translateText(reason, translateDanger)}`);
	return confirmLoss(question, [...listDangerLines(detail, title), '', ...risks], vscode.l10n.t('Allow Once'));
}

function listDangerLines(detail: ApprovalDetail, title: string): readonly string[] {
	if (detail.kind !== 'command') {
		return detail.kind === 'text' ? [title, detail.text] : [title];
	}
	const { cwd, needs = {} } = detail;
	return [
		promptedCommands(detail),
		...(cwd === '.' ? [] : [vscode.l10n.t('in {0}', cwd)]),
		...needsInWords(needs).map((need) => translateText(need, translateDanger)),
	];
}

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

/** The editor's own dialog before the widest permission level: the page that was pressed shows what a model wrote. */
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
