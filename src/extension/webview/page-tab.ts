/** Tab of one page, with a session of its own for each life of the page: VS Code destroys a page while it is hidden. */
import * as vscode from 'vscode';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { NotificationDef, ParamsOf } from '../../protocol/rpc/message.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { dressPanel, renderPageHtml } from './page-files.ts';
import type { PageFiles } from './page-html.ts';
import { PageSession } from './page-session.ts';

interface PageTabOptions {
	readonly log: LogPort;
	readonly extensionUri: vscode.Uri;
	readonly face: PageFiles['face'];
	/** Id of the panel in the manifest of the extension. */
	readonly viewType: string;
	/** Serves the requests of a page that begins a new life. The request `start` calls `start()`. */
	serve(peer: Peer): void;
	/** Called once the user has closed the tab. */
	onClose?(): void;
}

export class PageTab {
	readonly #options: PageTabOptions;
	#panel: vscode.WebviewPanel | undefined;
	#session: PageSession | undefined;
	#isStarted = false;

	constructor(options: PageTabOptions) {
		this.#options = options;
	}

	get isOpen(): boolean {
		return this.#panel !== undefined;
	}

	/** True when the page has what it started with: from then on `notify` reaches it. */
	get isStarted(): boolean {
		return this.#isStarted;
	}

	/** Shows the tab, and opens it under this title where there is none. */
	reveal(title: string): void {
		if (this.#panel === undefined) {
			const { viewType } = this.#options;
			this.adopt(vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active));
		} else {
			this.#panel.reveal();
		}
	}

	/** Gives a panel its page. Closes the panel where a tab is open already. */
	adopt(panel: vscode.WebviewPanel): void {
		if (this.#panel !== undefined) {
			panel.dispose();
			return;
		}
		const { extensionUri, face, onClose } = this.#options;
		this.#panel = panel;
		dressPanel(panel, extensionUri);
		this.#renew(panel);
		panel.webview.html = renderPageHtml(panel.webview, extensionUri, face);
		panel.onDidChangeViewState(() => {
			// The next page starts from nothing with a session of its own.
			if (!panel.visible) this.#renew(panel);
		});
		panel.onDidDispose(() => {
			this.#panel = undefined;
			this.#end();
			onClose?.();
		});
	}

	start(): void {
		this.#isStarted = true;
	}

	notify<D extends NotificationDef>(def: D, params: ParamsOf<D>): void {
		if (this.#isStarted) this.#session?.peer.notify(def, params);
	}

	dispose(): void {
		this.#end();
		this.#panel?.dispose();
	}

	#renew(panel: vscode.WebviewPanel): void {
		this.#end();
		const { log, face, serve } = this.#options;
		this.#session = new PageSession(panel.webview, log, face);
		serve(this.#session.peer);
	}

	#end(): void {
		this.#isStarted = false;
		this.#session?.dispose();
		this.#session = undefined;
	}
}
