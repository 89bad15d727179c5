/** In the status bar while the thread on the screen is at another permission level than Ask. A click changes it. */
import * as vscode from 'vscode';
import { isWiderLevel, LEVEL_ICONS, LEVEL_WORDS, type PermissionLevel } from '../../protocol/permission-level.ts';
import { translateText } from '../../protocol/text/text.ts';
import type { ShownLevel } from '../shown/shown-level.ts';
import type { EditorCommandId } from '../editor/command-table.ts';

export class LevelStatusItem {
	readonly #item = vscode.window.createStatusBarItem('prowess.level', vscode.StatusBarAlignment.Right, 89);
	readonly #following: { dispose(): void };

	constructor(shown: Pick<ShownLevel, 'onDidChange'>) {
		const command: EditorCommandId = 'prowess.changeLevel';
		this.#item.name = vscode.l10n.t('Prowess permission level');
		this.#item.command = command;
		this.#following = shown.onDidChange(({ inForce }) => this.#show(inForce.level));
	}

	dispose(): void {
		this.#following.dispose();
		this.#item.dispose();
	}

	#show(level: PermissionLevel): void {
		if (level === 'ask') {
			this.#item.hide();
			return;
		}
		const translateTemplate = (template: string) => vscode.l10n.t(template);
		const { name, sentence } = LEVEL_WORDS[level];
		const tooltip = vscode.l10n.t(
			'Permission level: {0}. {1}',
			translateText(name, translateTemplate),
			translateText(sentence, translateTemplate),
		);
		this.#item.text = `$(${LEVEL_ICONS[level]}) ${translateText(name, translateTemplate)}`;
		this.#item.tooltip = tooltip;
		this.#item.backgroundColor = chooseLevelBackground(level);
		this.#item.accessibilityInformation = { label: `Prowess: ${tooltip}` };
		this.#item.show();
	}
}

function chooseLevelBackground(level: PermissionLevel): vscode.ThemeColor | undefined {
	if (!isWiderLevel(level, 'ask')) {
		return undefined;
	}
	return new vscode.ThemeColor(`statusBarItem.${level === 'full' ? 'error' : 'warning'}Background`);
}
