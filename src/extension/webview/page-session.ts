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
import { WIRE_CODES } from '../../protocol/rpc/wire.ts';
import { createFrameGuard, type PageFrameVerdict } from './frame-guard.ts';
import { pageStrings } from './page-files.ts';
import type { PageFiles } from './page-html.ts';

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
					const refusal = createFrameRefusal(frame, verdict);
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

/** Logs each kind of trouble of a page once, however often it happens; at most 20 kinds. */
function createOnceLogger(log: LogPort, name: string): (what: string) => void {
	const seen = new Set<string>();
	return (what) => {
		if (!seen.has(what) && seen.size < 20) {
			seen.add(what);
			log.warn(`${name}: dropped a message of the page: ${what}`);
		}
	};
}

/** A request that is refused must be answered, or the page would wait for ever. */
function createFrameRefusal(frame: unknown, verdict: PageFrameVerdict): unknown {
	if (
		typeof frame !== 'object' ||
		frame === null ||
		!('kind' in frame) ||
		frame.kind !== 'request' ||
		!('id' in frame)
	) {
		return undefined;
	}
	const code = verdict === 'tooMany' ? 'RATE_LIMITED' : 'MESSAGE_TOO_LONG';
	const message =
		verdict === 'tooMany'
			? vscode.l10n.t('The view sent too many requests within a second. Try again.')
			: vscode.l10n.t('The message is too long.');
	return { kind: 'error', id: frame.id, code: WIRE_CODES.domainError, message, data: { code, facts: {} } };
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
