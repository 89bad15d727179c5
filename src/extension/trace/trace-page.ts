/** *Show Trace of the Last Turn*: one tab with how a turn went. The page draws and puts it into words; what it shows is read here. */
import * as vscode from 'vscode';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { type Disposable, DisposableStore, MutableDisposable } from '../../base/disposable.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { OpId, TurnId } from '../../protocol/ids.ts';
import type { NotificationDef, ParamsOf, ResultOf } from '../../protocol/rpc/message.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { traceLines } from '../../protocol/pages/trace-lines.ts';
import { ShownTrace, tracePageNotifications, tracePageRequests } from '../../protocol/pages/trace-page.ts';
import { traceRequests } from '../../protocol/thread/turn-trace.ts';
import type { Activity } from '../notices/activity.ts';
import { TRACE_PAGE } from '../command-table.ts';
import { limits } from '../limits.ts';
import { htmlOf, pageStrings, webviewOptions } from '../webview/page-files.ts';
import { PageSession } from '../webview/page-session.ts';

interface TracePagePorts {
	readonly log: LogPort;
	readonly extensionUri: vscode.Uri;
	server(): Promise<Peer>;
	showRecorded(opId: OpId): void;
}

const NOTHING: ShownTrace = { threadId: null, turnId: null };

export class TracePage {
	readonly #ports: TracePagePorts;
	readonly #store = new DisposableStore();
	readonly #session = this.#store.add(new MutableDisposable<PageSession>());
	#panel: vscode.WebviewPanel | undefined;
	#shown: ShownTrace = NOTHING;
	/** The page has what it started with: from then on it hears of news. */
	#isStarted = false;

	constructor(ports: TracePagePorts) {
		this.#ports = ports;
	}

	show(shown: ShownTrace): void {
		this.#shown = shown;
		if (this.#panel === undefined) {
			const title = vscode.l10n.t('Trace');
			this.#adopt(vscode.window.createWebviewPanel(TRACE_PAGE, title, vscode.ViewColumn.Active));
			return;
		}
		this.#notify(tracePageNotifications.show, shown);
		this.#panel.reveal();
	}

	/** Gives a tab that was open before the window was loaded again its page. */
	restore(panel: vscode.WebviewPanel, state: unknown): void {
		if (this.#panel !== undefined) {
			panel.dispose();
			return;
		}
		this.#shown = ShownTrace.safeParse(state).data ?? NOTHING;
		this.#adopt(panel);
	}

	/** The page reads again when a turn begins or ends. */
	follow(activity: Pick<Activity, 'onDidChange'>): Disposable {
		return activity.onDidChange(() => this.#notify(tracePageNotifications.changed, {}));
	}

	dispose(): void {
		this.#store.dispose();
		this.#panel?.dispose();
	}

	#notify<D extends NotificationDef>(def: D, params: ParamsOf<D>): void {
		if (this.#isStarted) {
			this.#session.value?.peer.notify(def, params);
		}
	}

	#adopt(panel: vscode.WebviewPanel): void {
		const { extensionUri } = this.#ports;
		this.#panel = panel;
		panel.webview.options = webviewOptions(extensionUri);
		const icon = (file: string) => vscode.Uri.joinPath(extensionUri, 'media', file);
		panel.iconPath = { light: icon('prowess-light.svg'), dark: icon('prowess.svg') };
		this.#renew(panel);
		panel.webview.html = htmlOf(panel.webview, extensionUri, 'trace');
		panel.onDidChangeViewState(() => {
			// Hidden, the page is destroyed; the next one starts from nothing with a session of its own.
			if (!panel.visible) {
				this.#renew(panel);
			}
		});
		panel.onDidDispose(() => {
			this.#panel = undefined;
			this.#isStarted = false;
			this.#session.value = undefined;
		});
	}

	#renew(panel: vscode.WebviewPanel): void {
		this.#isStarted = false;
		const session = new PageSession(panel.webview, this.#ports.log, 'trace');
		this.#session.value = session;
		session.peer.serve(tracePageRequests, {
			start: async () => {
				this.#isStarted = true;
				return { shown: this.#shown, strings: pageStrings() };
			},
			read: async (shown, signal) => {
				this.#shown = shown;
				return this.#read(shown, signal);
			},
			showRecorded: async ({ opId }) => {
				this.#ports.showRecorded(opId);
				return {};
			},
			copyText: async ({ turnId }, signal) => {
				await vscode.env.clipboard.writeText(`${traceLines(await this.#trace(turnId, signal)).join('\n')}\n`);
				return {};
			},
			copy: async ({ text }) => {
				await vscode.env.clipboard.writeText(text);
				return {};
			},
		});
	}

	async #read({ threadId, turnId }: ShownTrace, signal: AbortSignal): Promise<ResultOf<typeof tracePageRequests.read>> {
		if (threadId === null) {
			return { turns: [], trace: null };
		}
		const turns = await this.#within(signal, async (limit) => {
			const server = await this.#ports.server();
			return (await server.call(traceRequests.list, { threadId }, limit)).turns.toReversed();
		});
		const wanted = turns.find((turn) => turn.turnId === turnId) ?? turns[0];
		return {
			turns: turns.map(({ turnId: id, status, startedAt, endedAt }) => ({ turnId: id, status, startedAt, endedAt })),
			trace: wanted === undefined ? null : await this.#trace(wanted.turnId, signal),
		};
	}

	async #trace(turnId: TurnId, signal: AbortSignal): Promise<ResultOf<typeof traceRequests.show>> {
		return this.#within(signal, async (limit) =>
			(await this.#ports.server()).call(traceRequests.show, { turnId }, limit),
		);
	}

	async #within<T>(signal: AbortSignal, work: (limit: AbortSignal) => Promise<T>): Promise<T> {
		const limit = deriveSignal(signal, { what: 'reading a trace', timeoutMs: limits.traceMs });
		try {
			return await work(limit.signal);
		} finally {
			limit.dispose();
		}
	}
}
