/** Our items in the status bar: what Prowess does now, with a way to the chat, and the level where it is a wide one. */
import * as vscode from 'vscode';
import type { ServerState } from '../../protocol/pages/chat-view.ts';
import { isWiderLevel, LEVEL_ICONS, LEVEL_WORDS, type PermissionLevel } from '../../protocol/ops/permission-level.ts';
import { translateText } from '../../protocol/text/text.ts';
import type { EditorCommandId } from '../editor/command-table.ts';
import type { ShownLevel } from '../shown/shown-level.ts';

interface StatusFacts {
	readonly server: ServerState;
	readonly isTrusted: boolean;
	readonly waiting: number;
	readonly running: number;
	readonly model: string;
}

interface StatusLook {
	readonly text: string;
	readonly tooltip: string;
	readonly command: EditorCommandId | 'workbench.trust.manage';
	readonly background?: string;
}

export class StatusBar {
	readonly #item = vscode.window.createStatusBarItem('prowess.status', vscode.StatusBarAlignment.Right, 90);

	constructor() {
		this.#item.name = 'Prowess';
		this.#item.text = '$(comment-discussion) Prowess';
		this.#item.command = 'prowess.focusChat';
		this.#item.show();
	}

	show(facts: StatusFacts): void {
		const { text, tooltip, command, background } = chooseStatusLook(facts);
		this.#item.text = text;
		this.#item.tooltip = tooltip;
		this.#item.command = command;
		this.#item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
		this.#item.accessibilityInformation = { label: `Prowess: ${tooltip}` };
	}

	dispose(): void {
		this.#item.dispose();
	}
}

function chooseStatusLook({ server, isTrusted, waiting, running, model }: StatusFacts): StatusLook {
	if (!isTrusted) {
		return {
			text: '$(shield) Prowess',
			tooltip: vscode.l10n.t('Off until you trust this workspace'),
			command: 'workbench.trust.manage',
		};
	}
	if (server.kind === 'degraded') {
		const tooltip = vscode.l10n.t('The server keeps stopping: {0}. Click to restart it.', server.reason);
		return {
			text: '$(error) Prowess',
			tooltip,
			command: 'prowess.restartServer',
			background: 'statusBarItem.errorBackground',
		};
	}
	if (waiting > 0) {
		const tooltip = vscode.l10n.t('{0} waiting for your answer', waiting);
		return {
			text: `$(bell-dot) Prowess: ${waiting}`,
			tooltip,
			command: 'prowess.focusChat',
			background: 'statusBarItem.warningBackground',
		};
	}
	if (running > 0) {
		return {
			text: '$(sync~spin) Prowess',
			tooltip: running === 1 ? vscode.l10n.t('Working in 1 thread') : vscode.l10n.t('Working in {0} threads', running),
			command: 'prowess.focusChat',
		};
	}
	if (server.kind === 'starting') {
		return { text: '$(loading~spin) Prowess', tooltip: vscode.l10n.t('Starting'), command: 'prowess.focusChat' };
	}
	const tooltip = model === '' ? vscode.l10n.t('Open the chat') : vscode.l10n.t('Open the chat ({0})', model);
	return { text: '$(comment-discussion) Prowess', tooltip, command: 'prowess.focusChat' };
}

/** In the status bar while the thread on the screen is at another permission level than Ask. A click changes it. */
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
