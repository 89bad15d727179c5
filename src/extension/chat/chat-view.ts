/** The chat view: makes the page, gives each page its session, and tells it what changes while it is there. */
import * as vscode from 'vscode';
import { DisposableStore, MutableDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { viewNotifications } from '../../protocol/pages/chat-view.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { NotificationDef, ParamsOf } from '../../protocol/rpc/message.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { CHAT_VIEW } from '../command-table.ts';
import { htmlOf, webviewOptions } from '../webview/page-files.ts';
import { ChatSession, type SessionPorts } from './chat-session.ts';

/** What is put into the input of the chat. */
interface Insertion {
	readonly refs: readonly ContextRef[];
	readonly text: string;
	readonly send: boolean;
}

type Tell = (page: Peer) => void;

export class ChatView {
	readonly #extensionUri: vscode.Uri;
	readonly #createPorts: (starting: () => () => void) => SessionPorts;
	readonly #store = new DisposableStore();
	readonly #session = this.#store.add(new MutableDisposable<ChatSession>());
	readonly #visibility = this.#store.add(new Emitter<boolean>());
	readonly onDidChangeVisibility = this.#visibility.event;
	#view: vscode.WebviewView | undefined;
	/** The page of the session has its start values: from then on it hears notifications. */
	#page: Peer | undefined;
	/** For the page that waits for its start values: what may have changed since they were read. */
	#news: Tell[] = [];
	#isStarting = false;
	/** For the next page: what a command wanted to show while there was none. */
	#pending: Tell[] = [];
	#badge = 0;

	constructor(extensionUri: vscode.Uri, createPorts: (starting: () => () => void) => SessionPorts) {
		this.#extensionUri = extensionUri;
		this.#createPorts = createPorts;
	}

	get isVisible(): boolean {
		return this.#view?.visible === true;
	}

	/** Called by VS Code when the view is opened for the first time, and again when it was moved or closed. */
	attach(view: vscode.WebviewView): void {
		view.webview.options = webviewOptions(this.#extensionUri);
		this.#view = view;
		this.#renew();
		// Once for each view: VS Code may never show a page that takes the place of one whose files still come.
		view.webview.html = htmlOf(view.webview, this.#extensionUri, 'chat');
		this.setBadge(this.#badge);
		view.onDidChangeVisibility(() => {
			// Hidden, the page is destroyed; the next one starts from nothing with a session of its own.
			if (!view.visible) {
				this.#renew();
			}
			this.#visibility.fire(view.visible);
		});
		view.onDidDispose(() => {
			if (this.#view === view) {
				this.#view = undefined;
				this.#page = undefined;
				this.#session.value = undefined;
				this.#visibility.fire(false);
			}
		});
		this.#visibility.fire(view.visible);
	}

	/** Tells the page that is there; one that is starting hears it after its start values, a hidden one needs nothing. */
	notify<D extends NotificationDef>(def: D, params: ParamsOf<D>): void {
		if (this.#isStarting) {
			this.#news.push((page) => page.notify(def, params));
		} else {
			this.#page?.notify(def, params);
		}
	}

	/** Opens the view and gives it the keyboard. */
	async focus(): Promise<void> {
		await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
		this.#whenReady((page) => page.notify(viewNotifications.focus, {}));
	}

	async showThread(threadId: ThreadId | null): Promise<void> {
		await this.focus();
		this.#whenReady((page) => page.notify(viewNotifications.showThread, { threadId }));
	}

	async insert({ refs, text, send }: Insertion): Promise<void> {
		await this.focus();
		this.#whenReady((page) => page.notify(viewNotifications.insert, { refs: [...refs], text, send }));
	}

	/** Begins the tour in a new thread. */
	async takeTour(): Promise<void> {
		await this.focus();
		this.#whenReady((page) => page.notify(viewNotifications.takeTour, {}));
	}

	setBadge(waiting: number): void {
		this.#badge = waiting;
		if (this.#view !== undefined) {
			this.#view.badge =
				waiting === 0 ? undefined : { value: waiting, tooltip: vscode.l10n.t('{0} waiting for your answer', waiting) };
		}
	}

	dispose(): void {
		this.#store.dispose();
	}

	#renew(): void {
		this.#page = undefined;
		this.#isStarting = false;
		this.#session.value = undefined;
		if (this.#view === undefined) {
			return;
		}
		const ports = this.#createPorts(() => this.#starting(session));
		const session = new ChatSession(this.#view.webview, ports);
		this.#session.value = session;
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

	#whenReady(tell: Tell): void {
		if (this.#page === undefined) {
			this.#pending.push(tell);
		} else {
			tell(this.#page);
		}
	}
}
