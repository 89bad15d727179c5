/** Asks for a goal: what is to be reached, then its steps one by one. */
import * as vscode from 'vscode';
import { readStep } from '../../features/goal/plan-words.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { inform } from '../notices/notices.ts';

/** Steps that are asked for; more are none of a goal. */
const MAX_ASKED_STEPS = 8;

/** False: the user left it. */
export async function askAndAddGoal(goals: Pick<TrustedBase['goals'], 'add'>): Promise<boolean> {
	const { t } = vscode.l10n;
	const folder = vscode.workspace.workspaceFolders?.[0];
	if (folder === undefined) {
		inform(t('Open a folder first: a goal belongs to one.'));
		return false;
	}
	const title = await vscode.window.showInputBox({
		title: t('Add Goal'),
		prompt: t('What is to be reached?'),
		ignoreFocusOut: true,
	});
	const steps: ReturnType<typeof readStep>[] = [];
	while (title && steps.length < MAX_ASKED_STEPS) {
		const words = await vscode.window.showInputBox({
			title: t('Add Goal: step {0}', steps.length + 1),
			prompt:
				steps.length === 0
					? t('What is to be done first?')
					: t('And then? Leave it empty when that is all. "(after 1, 2)" at the end: it waits for these steps.'),
			ignoreFocusOut: true,
		});
		if (words === undefined) return false;
		if (words.trim() === '') break;
		steps.push(readStep(words, steps.length + 1));
	}
	if (!title || steps.length === 0) return false;
	await goals.add({ title, folder: folder.uri.fsPath, mode: 'agent', steps });
	return true;
}
