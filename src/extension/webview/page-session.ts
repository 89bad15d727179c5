/**
 * Life and session of a page. VS Code destroys a page that it hides, and the next one starts from nothing with a session of
 * its own. Each message is counted before any code looks at it.
 */
import * as vscode from 'vscode';
import { DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { NotificationDef, ParamsOf } from '../../protocol/rpc/message.ts';
import { Peer } from '../../protocol/rpc/peer.ts';
import { postMessageWire } from '../../protocol/rpc/post-message-wire.ts';
import { createFrameGuard, createFrameRefusal, createOnceLogger } from '../../host/doors/frame-guard.ts';
import { pageStrings } from './page-files.ts';
import type { PageFiles } from '../../protocol/pages/page-html.ts';

export class PageSession {
	readonly peer: Peer;
	/** Ends with the page. */
	protected readonly store = new DisposableStore();

	/** `name` of the page, in the log. */
	constructor(webview: vscode.Webview, log: LogPort, name: string) {
		const guard = createFrameGuard(() => performance.now());
		const complain = createOnceLogger(log, name);
		const wire = postMessageWire({
			post: (frame) => {
				webview.postMessage(frame).then(undefined, () => {
					// The page went while it was posted; its successor asks again.
				});
			},
			listen: (receive) =>
				webview.onDidReceiveMessage((frame: unknown) => {
					const verdict = guard(frame);
					if (verdict === 'pass') {
						receive(frame);
						return;
					}
					complain(verdict);
					const refusal = createFrameRefusal(frame, verdict, (template) => vscode.l10n.t(template));
					if (refusal !== undefined) {
						void webview.postMessage(refusal);
					}
				}),
			onBadFrame: () => complain('garbage'),
		});
		this.store.add(toDisposable(() => wire.close()));
		this.peer = new Peer(wire, (method) => complain(method));
	}

	/** Ends what the page had under way; turns and effects go on in the server and the host. */
	dispose(): void {
		this.store.dispose();
	}
}

/**
 * Life of a page: VS Code destroys a page that it hides, and the next one starts from nothing with a session of its own.
 * News reach a page from the moment it has what it starts with.
 */
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
