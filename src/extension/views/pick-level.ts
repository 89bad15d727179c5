/** *Change Permission Level*: the levels with what each means, for the thread on the screen. */
import * as vscode from 'vscode';
import {
	isWiderLevel,
	LEVEL_ICONS,
	LEVEL_WORDS,
	PERMISSION_LEVELS,
	type PermissionLevel,
} from '../../protocol/ops/permission-level.ts';
import { translateText } from '../../protocol/text/text.ts';
import type { CurrentThread } from '../shown/current-thread.ts';
import type { ShownLevel } from '../shown/shown-level.ts';

interface LevelItem extends vscode.QuickPickItem {
	readonly level: PermissionLevel;
}

/** Rejects with DENIED_BY_RULE when one is picked that a rule forbids; its entry says so. */
export async function pickLevel(shown: ShownLevel, current: Pick<CurrentThread, 'id'>): Promise<void> {
	const threadId = current.id;
	const { signal } = new AbortController();
	const inForce = await shown.of(threadId, signal);
	const translateTemplate = (template: string) => vscode.l10n.t(template);
	const items = PERMISSION_LEVELS.map((level): LevelItem => {
		const { name, sentence } = LEVEL_WORDS[level];
		const why = inForce.why === null ? '' : translateText(inForce.why, translateTemplate);
		const isForbidden = isWiderLevel(level, inForce.widest);
		return {
			level,
			label: `$(${isForbidden ? 'circle-slash' : LEVEL_ICONS[level]}) ${translateText(name, translateTemplate)}`,
			description: isForbidden ? vscode.l10n.t('Forbidden') : level === inForce.level ? vscode.l10n.t('Current') : '',
			detail: isForbidden ? why : translateText(sentence, translateTemplate),
		};
	});
	const title =
		threadId === null
			? vscode.l10n.t('Permission Level of the New Thread')
			: vscode.l10n.t('Permission Level of This Thread');
	const picked = await vscode.window.showQuickPick(items, { title, matchOnDetail: true });
	if (picked !== undefined && picked.level !== inForce.level) {
		await shown.choose(threadId, picked.level, signal);
	}
}
