/** The pages about capabilities: one tab for each kind of page, which shows what was asked for last. */
import * as vscode from 'vscode';
import { PageAddress } from '../../../protocol/pages/capability-page.ts';
import { CAPABILITY_PAGE } from '../../editor/command-table.ts';
import { type PageKind, PagePanel, type PagePanelPorts } from './page-panel.ts';

export class CapabilityPages {
	readonly #ports: PagePanelPorts;
	readonly #open = new Map<PageKind, PagePanel>();

	constructor(ports: PagePanelPorts) {
		this.#ports = ports;
	}

	show(address: PageAddress): void {
		const open = this.#open.get(address.kind);
		if (open !== undefined) {
			open.show(address);
			return;
		}
		const options = { enableFindWidget: true, retainContextWhenHidden: address.kind === 'run' };
		const panel = vscode.window.createWebviewPanel(CAPABILITY_PAGE, address.title, vscode.ViewColumn.Active, options);
		this.#adopt(panel, address);
	}

	/** Gives a tab that was open before the window was loaded again its page. */
	restore(panel: vscode.WebviewPanel, state: unknown): void {
		const address = PageAddress.safeParse(state).data;
		if (address === undefined || this.#open.has(address.kind)) {
			panel.dispose();
			return;
		}
		this.#adopt(panel, address);
	}

	/** Refreshes the open page of this kind; with `of`, only when the page is about that. */
	refresh(kind: PageKind, of?: string): void {
		const open = this.#open.get(kind);
		if (open !== undefined && (of === undefined || open.address.of === of)) {
			open.refresh();
		}
	}

	dispose(): void {
		for (const page of this.#open.values()) {
			page.dispose();
		}
	}

	#adopt(panel: vscode.WebviewPanel, address: PageAddress): void {
		this.#open.set(address.kind, new PagePanel(panel, this.#ports, address));
		panel.onDidDispose(() => {
			this.#open.get(address.kind)?.dispose();
			this.#open.delete(address.kind);
		});
	}
}
