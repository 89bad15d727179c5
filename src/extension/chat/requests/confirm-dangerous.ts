/**
 * The editor's own dialog for a yes to what is dangerous, with the whole of it: the page that was pressed shows what a model
 * wrote, and can be made to show less.
 */
import * as vscode from 'vscode';
import type { Approval, ApprovalDetail } from '../../../protocol/approvals/approvals.ts';
import { needsInWords } from '../../../protocol/ops/commands/command-needs.ts';
import { promptedCommands } from '../../../protocol/ops/commands/typed-command.ts';
import { translateText } from '../../../protocol/text/text.ts';
import { confirmLoss } from '../../notices/notices.ts';

const translateDanger = (template: string) => vscode.l10n.t(template);

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
