/**
 * Life of a page: VS Code destroys a page that it hides, and the next one starts from nothing with a session of its own.
 * News reach a page from the moment it has what it starts with.
 */
import type * as vscode from 'vscode';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { NotificationDef, ParamsOf } from '../../protocol/rpc/message.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { pageStrings } from './page-files.ts';
import type { PageFiles } from './page-html.ts';
import { PageSession } from './page-session.ts';

export interface PageLifeOptions {
	readonly log: LogPort;
	readonly face: PageFiles['face'];
	/** Serves the requests of a page that begins a new life. The request `start` calls `start()`. */
	serve(peer: Peer): void;
}

export class PageLife {
	readonly #options: PageLifeOptions;
	#session: PageSession | undefined;
	#isStarted = false;

	constructor(options: PageLifeOptions) {
		this.#options = options;
	}

	/** True when the page has what it started with: from then on `notify` reaches it. */
	get isStarted(): boolean {
		return this.#isStarted;
	}

	/** Ends the life before, if there is one. */
	begin(webview: vscode.Webview): void {
		this.end();
		const { log, face, serve } = this.#options;
		this.#session = new PageSession(webview, log, face);
		serve(this.#session.peer);
	}

	/** Returns what every page starts with. */
	start(): { readonly strings: Record<string, string> } {
		this.#isStarted = true;
		return { strings: pageStrings() };
	}

	notify<D extends NotificationDef>(def: D, params: ParamsOf<D>): void {
		if (this.#isStarted) this.#session?.peer.notify(def, params);
	}

	end(): void {
		this.#isStarted = false;
		this.#session?.dispose();
		this.#session = undefined;
	}
}
