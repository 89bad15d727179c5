/** The chat, in the side bar and in tabs: tells all pages what changes, and brings the one that the user works in to the front. */
import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { viewNotifications } from '../../protocol/pages/chat-view.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { TypedInput } from '../../protocol/pages/typed-input.ts';
import type { NotificationDef, ParamsOf } from '../../protocol/rpc/message.ts';
import { CHAT_VIEW } from '../editor/command-table.ts';
import { renderPageHtml, webviewOptions } from '../webview/page-files.ts';
import { ChatPage, type CreatePorts } from './chat-page.ts';
import type { ChatTab, ChatTabs } from './chat-tabs.ts';

/** Text and references that are put into the input of the chat, or sent. */
export interface Insertion {
	readonly refs: readonly ContextRef[];
	readonly text: string;
	readonly send: boolean;
}

interface ChatViewPorts {
	readonly extensionUri: vscode.Uri;
	readonly tabs: ChatTabs;
	readonly createPorts: CreatePorts;
}

/** Told to the page of the side bar once there is one. */
type PendingPageMessage = (page: ChatPage) => void;

export class ChatView {
	readonly #ports: ChatViewPorts;
	readonly #visibility = new Emitter<boolean>();
	readonly onDidChangeVisibility = this.#visibility.event;
	#view: vscode.WebviewView | undefined;
	#page: ChatPage | undefined;
	#pending: PendingPageMessage[] = [];
	#badge = 0;

	constructor(ports: ChatViewPorts) {
		this.#ports = ports;
	}

	get isVisible(): boolean {
		return this.#view?.visible === true || this.#ports.tabs.isVisible;
	}

	/** Called by VS Code when the view is opened for the first time, and again when it was moved or closed. */
	attach(view: vscode.WebviewView): void {
		const { extensionUri, createPorts } = this.#ports;
		view.webview.options = webviewOptions(extensionUri);
		this.#view = view;
		this.#page?.dispose();
		const page = new ChatPage(view.webview, createPorts);
		this.#page = page;
		for (const tell of this.#pending.splice(0)) {
			tell(page);
		}
		// Once for each view: VS Code may never show a page that takes the place of one whose files still come.
		view.webview.html = renderPageHtml(view.webview, extensionUri, 'chat');
		this.setBadge(this.#badge);
		view.onDidChangeVisibility(() => {
			if (!view.visible) {
				page.renew();
			}
			this.#visibility.fire(view.visible);
		});
		view.onDidDispose(() => {
			page.dispose();
			if (this.#view === view) {
				this.#view = undefined;
				this.#page = undefined;
				this.#visibility.fire(false);
			}
		});
		this.#visibility.fire(view.visible);
	}

	notify<D extends NotificationDef>(def: D, params: ParamsOf<D>): void {
		this.#page?.notify(def, params);
		for (const { page } of this.#ports.tabs.all) {
			page.notify(def, params);
		}
	}

	/** Tells the other pages what was typed in one; `tab`: it is no page of the side bar. */
	tellTyped(typed: TypedInput, tab: ChatTab | undefined): void {
		if (tab !== undefined) {
			this.#page?.notify(viewNotifications.typed, typed);
		}
		for (const other of this.#ports.tabs.all) {
			if (other !== tab) {
				other.page.notify(viewNotifications.typed, typed);
			}
		}
	}

	/** Opens the chat that had the keyboard last, and gives it back. */
	async focus(): Promise<void> {
		await this.#tell(viewNotifications.focus, {});
	}

	/** In the tab that has it, else in the chat that had the keyboard last. */
	async showThread(threadId: ThreadId | null): Promise<void> {
		const tab = threadId === null ? undefined : this.#ports.tabs.of(threadId);
		if (tab === undefined) {
			await this.#tell(viewNotifications.showThread, { threadId });
		} else {
			tab.reveal();
			tab.page.whenReady(viewNotifications.focus, {});
		}
	}

	async insert({ refs, text, send }: Insertion): Promise<void> {
		await this.#tell(viewNotifications.insert, { refs: [...refs], text, send });
	}

	/** Begins the tour in a new thread. */
	async takeTour(): Promise<void> {
		await this.#tell(viewNotifications.takeTour, {});
	}

	setBadge(waiting: number): void {
		this.#badge = waiting;
		if (this.#view !== undefined) {
			this.#view.badge =
				waiting === 0 ? undefined : { value: waiting, tooltip: vscode.l10n.t('{0} waiting for your answer', waiting) };
		}
	}

	dispose(): void {
		this.#page?.dispose();
		this.#visibility.dispose();
	}

	async #tell<D extends NotificationDef>(def: D, params: ParamsOf<D>): Promise<void> {
		const tab = this.#ports.tabs.inFront;
		if (tab !== undefined) {
			tab.reveal();
			tab.page.whenReady(def, params);
			return;
		}
		await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
		if (this.#page === undefined) {
			this.#pending.push((page) => page.whenReady(def, params));
		} else {
			this.#page.whenReady(def, params);
		}
	}
}
