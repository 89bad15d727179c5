/** Tab of one page. */
import * as vscode from 'vscode';
import type * as z from '../../protocol/text/zod.ts';
import { dressPanel, renderPageHtml } from './page-files.ts';
import { PageLife, type PageLifeOptions } from './page-session.ts';

interface PageTabOptions extends PageLifeOptions {
	readonly extensionUri: vscode.Uri;
	/** Id of the panel in the manifest of the extension. */
	readonly viewType: string;
	/** Options of a panel that the tab opens. Default: those of VS Code. */
	readonly panel?: vscode.WebviewPanelOptions;
	/** Called when the tab may have come into sight, or is hidden behind another. */
	onDidChangeSight?(): void;
	/** Called once the tab is closed. */
	onClose?(): void;
}

export class PageTab extends PageLife {
	readonly #options: PageTabOptions;
	#panel: vscode.WebviewPanel | undefined;

	constructor(options: PageTabOptions) {
		super(options);
		this.#options = options;
	}

	get isOpen(): boolean {
		return this.#panel !== undefined;
	}

	/** True while it is open and not behind another. */
	get isInSight(): boolean {
		return this.#panel?.visible === true;
	}

	/** Shows the tab under this title, and opens it where there is none. */
	reveal(title: string): void {
		if (this.#panel === undefined) {
			const { viewType, panel } = this.#options;
			closeLeftTabs(viewType, title);
			this.adopt(vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, panel));
		} else {
			this.#panel.title = title;
			this.#panel.reveal();
		}
	}

	/** Gives a panel its page. Closes the panel where a tab is open already. */
	adopt(panel: vscode.WebviewPanel): void {
		if (this.#panel !== undefined) {
			panel.dispose();
			return;
		}
		const { extensionUri, face, onDidChangeSight, onClose } = this.#options;
		this.#panel = panel;
		dressPanel(panel, extensionUri);
		this.begin(panel.webview);
		panel.webview.html = renderPageHtml(panel.webview, extensionUri, face);
		panel.onDidChangeViewState(() => {
			if (!panel.visible && panel.options.retainContextWhenHidden !== true) this.begin(panel.webview);
			onDidChangeSight?.();
		});
		panel.onDidDispose(() => {
			this.#panel = undefined;
			this.end();
			onClose?.();
		});
	}

	dispose(): void {
		this.end();
		this.#panel?.dispose();
	}
}

/** Closes tabs that a dead extension host has left: VS Code gives them back only once they come into sight. */
function closeLeftTabs(viewType: string, title: string): void {
	const isLeft = ({ label, input }: vscode.Tab) =>
		label === title && input instanceof vscode.TabInputWebview && input.viewType.endsWith(`-${viewType}`);
	void vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isLeft)));
}

/** Tab whose page keeps what it shows, such as a filter, also when the window is loaded again. */
export class KeptPageTab<Shown> extends PageTab {
	shown: Shown;
	readonly #schema: z.ZodType<Shown>;
	readonly #shownAtFirst: Shown;

	constructor(options: Omit<PageTabOptions, 'onClose'>, schema: z.ZodType<Shown>, shownAtFirst: Shown) {
		super({ ...options, onClose: () => (this.shown = shownAtFirst) });
		this.shown = shownAtFirst;
		this.#schema = schema;
		this.#shownAtFirst = shownAtFirst;
	}

	/** Gives a tab that was open before the window was loaded again its page. */
	restore(panel: vscode.WebviewPanel, state: unknown): void {
		if (!this.isOpen) this.shown = this.#schema.safeParse(state).data ?? this.#shownAtFirst;
		this.adopt(panel);
	}
}
