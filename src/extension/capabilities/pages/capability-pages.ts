/** The pages about capabilities: one tab for each kind of page, which shows what was asked for last. */
import type * as vscode from 'vscode';
import { PageAddress } from '../../../protocol/pages/capability-page.ts';
import { type PageKind, PagePanel, type PagePanelPorts } from './page-panel.ts';

export class CapabilityPages {
	readonly #ports: PagePanelPorts;
	readonly #open = new Map<PageKind, PagePanel>();

	constructor(ports: PagePanelPorts) {
		this.#ports = ports;
	}

	show(address: PageAddress): void {
		const open = this.#open.get(address.kind);
		if (open === undefined) {
			this.#add(address);
		} else {
			open.show(address);
		}
	}

	/** Gives a tab that was open before the window was loaded again its page. */
	restore(panel: vscode.WebviewPanel, state: unknown): void {
		const address = PageAddress.safeParse(state).data;
		if (address === undefined || this.#open.has(address.kind)) {
			panel.dispose();
			return;
		}
		this.#add(address, panel);
	}

	/** Refreshes the open page of this kind; with `of`, only when the page is about that. */
	refresh(kind: PageKind, of?: string): void {
		const open = this.#open.get(kind);
		if (open !== undefined && (of === undefined || open.address.of === of)) {
			open.refresh();
		}
	}

	dispose(): void {
		for (const page of [...this.#open.values()]) {
			page.dispose();
		}
	}

	#add(address: PageAddress, panel?: vscode.WebviewPanel): void {
		const { kind } = address;
		this.#open.set(kind, new PagePanel(this.#ports, address, () => this.#open.delete(kind), panel));
	}
}
