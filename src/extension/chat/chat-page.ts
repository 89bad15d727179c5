/**
 * A page of the chat, in the side bar or in a tab. Gives each life of the page a session, and tells the page what
 * changes while it exists.
 */
import type * as vscode from 'vscode';
import { DisposableStore, MutableDisposable } from '../../base/disposable.ts';
import type { NotificationDef, ParamsOf } from '../../protocol/rpc/message.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { ChatSession, type SessionPorts } from './chat-session.ts';

type Tell = (page: Peer) => void;

/** `starting`: the page asks for its start values; what it gives is called when they are on their way. */
export type CreatePorts = (starting: () => () => void) => SessionPorts;

export class ChatPage {
	readonly #webview: vscode.Webview;
	readonly #createPorts: CreatePorts;
	readonly #store = new DisposableStore();
	readonly #session = this.#store.add(new MutableDisposable<ChatSession>());
	/** The page of the session has its start values: from then on it hears notifications. */
	#page: Peer | undefined;
	/** For the page that waits for its start values: what may have changed since they were read. */
	#news: Tell[] = [];
	#isStarting = false;
	/** For the next page: what a command wanted to show while there was none. */
	readonly #pending: Tell[] = [];

	constructor(webview: vscode.Webview, createPorts: CreatePorts) {
		this.#webview = webview;
		this.#createPorts = createPorts;
		this.renew();
	}

	/** Tells the page that is there; one that is starting hears it after its start values, a hidden one needs nothing. */
	notify<D extends NotificationDef>(def: D, params: ParamsOf<D>): void {
		if (this.#isStarting) {
			this.#news.push((page) => page.notify(def, params));
		} else {
			this.#page?.notify(def, params);
		}
	}

	/** Tells this page, or the next one once it has started. */
	whenReady<D extends NotificationDef>(def: D, params: ParamsOf<D>): void {
		const tell: Tell = (page) => page.notify(def, params);
		if (this.#page === undefined) {
			this.#pending.push(tell);
		} else {
			tell(this.#page);
		}
	}

	/** The page was destroyed; the next one starts from nothing with a session of its own. */
	renew(): void {
		this.#page = undefined;
		this.#isStarting = false;
		this.#session.value = undefined;
		const ports = this.#createPorts(() => this.#starting(session));
		const session = new ChatSession(this.#webview, ports);
		this.#session.value = session;
	}

	dispose(): void {
		this.#page = undefined;
		this.#store.dispose();
	}

	/** The page asks for its start values, once more when its workspace is trusted: it hears nothing before it has them. */
	#starting(session: ChatSession): () => void {
		this.#page = undefined;
		this.#isStarting = true;
		this.#news = [];
		return () => {
			// After the answer to `view/start`, which is on its way before the next turn of the loop.
			setImmediate(() => {
				if (this.#session.value !== session) {
					return;
				}
				this.#page = session.peer;
				this.#isStarting = false;
				for (const tell of [...this.#news.splice(0), ...this.#pending.splice(0)]) {
					tell(session.peer);
				}
			});
		};
	}
}
