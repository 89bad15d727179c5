/** Calls the user to the chat: the badge, and one notification at a time while the chat is hidden. */
import * as vscode from 'vscode';
import type { LogPort } from '../../contract/ports/ports.ts';
import { extensionLimits } from '../editor/limits.ts';
import { inform } from './notices.ts';
import { inBackground } from '../editor/signals.ts';

interface AttentionPorts {
	readonly log: LogPort;
	isChatVisible(): boolean;
	isWanted(): boolean;
	showChat(): Promise<void>;
}

export class Attention {
	readonly #ports: AttentionPorts;
	#isShown = false;
	#soon: NodeJS.Timeout | undefined;

	constructor(ports: AttentionPorts) {
		this.#ports = ports;
	}

	/**
	 * Says `text` with a button that opens the chat; nothing when the user wants none, or when the chat is in view: also a
	 * moment later, because whoever asked for something is taken to the question by themselves.
	 */
	call(text: string): void {
		const ports = this.#ports;
		if (this.#isShown || ports.isChatVisible() || !ports.isWanted()) {
			return;
		}
		this.#isShown = true;
		this.#soon = setTimeout(() => {
			if (ports.isChatVisible()) {
				this.#isShown = false;
			} else {
				this.#show(text);
			}
		}, extensionLimits.attentionDelayMs);
	}

	dispose(): void {
		clearTimeout(this.#soon);
	}

	#show(text: string): void {
		const ports = this.#ports;
		const show = vscode.l10n.t('Show');
		const told = inform(text, show).then(async (chosen) => {
			this.#isShown = false;
			if (chosen === show) {
				await ports.showChat();
			}
		});
		inBackground(ports.log, 'notification', told);
	}
}
