/** Calls the user to the chat: the badge, and one notification at a time while the chat is hidden. */
import * as vscode from 'vscode';
import type { LogPort } from '../capability-host/ports.ts';
import { inBackground } from './signals.ts';

export interface AttentionPorts {
	readonly log: LogPort;
	isChatVisible(): boolean;
	isWanted(): boolean;
	showChat(): Promise<void>;
}

export class Attention {
	readonly #ports: AttentionPorts;
	#isShown = false;

	constructor(ports: AttentionPorts) {
		this.#ports = ports;
	}

	/** Says `text` with a button that opens the chat; nothing when the chat is in view or the user wants none. */
	call(text: string): void {
		const ports = this.#ports;
		if (this.#isShown || ports.isChatVisible() || !ports.isWanted()) {
			return;
		}
		this.#isShown = true;
		const show = vscode.l10n.t('Show');
		const told = vscode.window.showInformationMessage(text, show).then(async (chosen) => {
			this.#isShown = false;
			if (chosen === show) {
				await ports.showChat();
			}
		});
		inBackground(ports.log, 'notification', told);
	}
}
