/** In the status bar while more than reading runs without a question: at which level. A click opens the setting. */
import * as vscode from 'vscode';
import type { SettingsPort } from '../../capability-host/contract/ports.ts';
import type { Autonomy } from '../../protocol/settings.ts';

export class AutonomyMark {
	readonly #item = vscode.window.createStatusBarItem('prowess.autonomy', vscode.StatusBarAlignment.Right, 89);
	readonly #following: { dispose(): void };

	constructor(settings: Pick<SettingsPort, 'current' | 'onDidChange'>) {
		this.#item.name = vscode.l10n.t('Prowess autonomy');
		this.#item.command = {
			title: vscode.l10n.t('Open the setting'),
			command: 'workbench.action.openSettings',
			arguments: ['prowess.approvals.autonomy'],
		};
		const show = () => this.#show(settings.current['prowess.approvals.autonomy']);
		this.#following = settings.onDidChange(show);
		show();
	}

	dispose(): void {
		this.#following.dispose();
		this.#item.dispose();
	}

	#show(autonomy: Autonomy): void {
		if (autonomy !== 'auto' && autonomy !== 'full') {
			this.#item.hide();
			return;
		}
		const isFull = autonomy === 'full';
		this.#item.text = isFull ? '$(warning) Full' : '$(unlock) Auto';
		this.#item.tooltip = isFull
			? vscode.l10n.t('Prowess runs commands without asking, outside the sandbox too. Use this only in a container.')
			: vscode.l10n.t('Prowess changes files and runs sandboxed commands in this workspace without asking.');
		this.#item.backgroundColor = isFull ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
		this.#item.accessibilityInformation = { label: `Prowess: ${this.#item.tooltip}` };
		this.#item.show();
	}
}
