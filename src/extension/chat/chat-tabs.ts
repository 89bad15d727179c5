/** Tabs of the editor with a chat in each: every tab has its own thread, which outlives it. */
import * as vscode from 'vscode';
import type { LogPort } from '../../contract/ports/ports.ts';
import { ThreadId } from '../../protocol/rpc/ids.ts';
import { viewNotifications } from '../../protocol/pages/chat-view.ts';
import { CHAT_TAB } from '../editor/command-table.ts';
import { inBackground } from '../editor/signals.ts';
import { dressPanel, renderPageHtml } from '../webview/page-files.ts';
import { ChatPage, type CreatePorts } from './chat-page.ts';
import type { CurrentThread } from '../shown/current-thread.ts';

interface ChatTabPorts {
	readonly log: LogPort;
	readonly extensionUri: vscode.Uri;
	readonly current: CurrentThread;
	/** Begins a thread without a message. */
	begin(): Promise<ThreadId>;
	/** Deletes a thread that was begun here, unless something was said in it. */
	dropEmpty(threadId: ThreadId): Promise<void>;
	createPorts(tab: ChatTab): CreatePorts;
}

export interface ChatTab {
	/** Null: it is about to begin one. */
	readonly id: ThreadId | null;
	readonly page: ChatPage;
	reveal(): void;
	/** The page shows another thread; with null it is given a new one. */
	set(id: ThreadId | null): void;
	/** Title of the thread, as the page knows it. */
	setTitle(title: string): void;
}

export class ChatTabs {
	readonly #ports: ChatTabPorts;
	readonly #tabs = new Map<ChatTab, vscode.WebviewPanel>();

	constructor(ports: ChatTabPorts) {
		this.#ports = ports;
	}

	get all(): Iterable<ChatTab> {
		return this.#tabs.keys();
	}

	get isVisible(): boolean {
		return [...this.#tabs.values()].some(({ visible }) => visible);
	}

	/** The tab that had the keyboard last of all chats. */
	get inFront(): ChatTab | undefined {
		return [...this.#tabs.keys()].find((tab) => tab === this.#ports.current.inFront);
	}

	of(threadId: ThreadId): ChatTab | undefined {
		return [...this.#tabs.keys()].find(({ id }) => id === threadId);
	}

	/** Opens a tab with the thread, or brings the one that has it to the front. Null: with a new thread. */
	async open(threadId: ThreadId | null): Promise<void> {
		const there = threadId === null ? undefined : this.of(threadId);
		if (there !== undefined) {
			there.reveal();
			return;
		}
		const id = threadId ?? (await this.#ports.begin());
		const title = vscode.l10n.t('New thread');
		const tab = this.#adopt(vscode.window.createWebviewPanel(CHAT_TAB, title, vscode.ViewColumn.Active), id);
		tab.page.whenReady(viewNotifications.focus, {});
	}

	/** Gives a tab that was open before the window was loaded again its page. */
	restore(panel: vscode.WebviewPanel, state: unknown): void {
		const shown = typeof state === 'object' && state !== null && 'threadId' in state ? state.threadId : null;
		const read = ThreadId.safeParse(shown);
		if (read.success) {
			this.#adopt(panel, read.data);
		} else {
			panel.dispose();
		}
	}

	dispose(): void {
		for (const { page } of this.#tabs.keys()) {
			page.dispose();
		}
	}

	#adopt(panel: vscode.WebviewPanel, begunWith: ThreadId): ChatTab {
		const { extensionUri, current, log, createPorts } = this.#ports;
		let id: ThreadId | null = begunWith;
		dressPanel(panel, extensionUri);
		const dropIfEmpty = (threadId: ThreadId | null) => {
			if (threadId !== null) {
				inBackground(log, 'empty thread', this.#ports.dropEmpty(threadId));
			}
		};
		const beginAnother = async () => {
			id = await this.#ports.begin();
			page.whenReady(viewNotifications.showThread, { threadId: id });
		};
		const tab: ChatTab = {
			get id() {
				return id;
			},
			get page() {
				return page;
			},
			reveal: () => panel.reveal(),
			set(shown) {
				if (shown !== id) {
					dropIfEmpty(id);
					id = shown;
				}
				if (shown === null) {
					inBackground(log, 'new thread', beginAnother());
				}
				current.tell();
			},
			setTitle(title) {
				panel.title = title === '' ? vscode.l10n.t('New thread') : title;
			},
		};
		const page = new ChatPage(panel.webview, createPorts(tab));
		this.#tabs.set(tab, panel);
		if (panel.active) {
			current.bring(tab);
		}
		panel.webview.html = renderPageHtml(panel.webview, extensionUri, 'chat');
		panel.onDidChangeViewState(() => {
			if (!panel.visible) {
				page.renew();
			}
		});
		panel.onDidDispose(() => {
			this.#tabs.delete(tab);
			page.dispose();
			current.leave(tab);
			dropIfEmpty(id);
		});
		return tab;
	}
}
