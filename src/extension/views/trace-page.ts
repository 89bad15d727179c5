/** *Show Trace of the Last Turn*: one tab with how a turn went. The page draws and puts it into words; what it shows is read here. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { OpId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { ShownTrace, tracePageNotifications, tracePageRequests } from '../../protocol/pages/trace-page.ts';
import type { Activity } from '../notices/activity.ts';
import { TRACE_PAGE } from '../editor/command-table.ts';
import { pageActs } from '../webview/page-acts.ts';
import { KeptPageTab } from '../webview/page-tab.ts';
import type { TraceReader, TraceReaderPorts } from './trace-reader.ts';

interface TracePagePorts extends TraceReaderPorts {
	readonly extensionUri: vscode.Uri;
	showRecorded(opId: OpId): void;
}

const NO_TRACE: ShownTrace = { threadId: null, turnId: null };

export class TracePage {
	readonly #ports: TracePagePorts;
	readonly #tab: KeptPageTab<ShownTrace>;
	#loading: Promise<TraceReader> | undefined;

	constructor(ports: TracePagePorts) {
		this.#ports = ports;
		const options = {
			...ports,
			face: 'trace',
			viewType: TRACE_PAGE,
			serve: (peer: Peer) => this.#serve(peer),
		} as const;
		this.#tab = new KeptPageTab(options, ShownTrace, NO_TRACE);
	}

	show(shown: ShownTrace): void {
		this.#tab.shown = shown;
		this.#tab.notify(tracePageNotifications.show, shown);
		this.#tab.reveal(vscode.l10n.t('Trace'));
	}

	restore(panel: vscode.WebviewPanel, state: unknown): void {
		this.#tab.restore(panel, state);
	}

	/** The page reads again when a turn begins or ends. */
	follow(activity: Pick<Activity, 'onDidChange'>): Disposable {
		return activity.onDidChange(() => this.#tab.notify(tracePageNotifications.changed, {}));
	}

	dispose(): void {
		this.#tab.dispose();
	}

	/** Loaded with the first page. */
	get #reader(): Promise<TraceReader> {
		return (this.#loading ??= import('./trace-reader.ts').then(({ TraceReader: Reader }) => new Reader(this.#ports)));
	}

	#serve(peer: Peer): void {
		peer.serve(tracePageRequests, {
			start: async () => ({ shown: this.#tab.shown, ...this.#tab.start() }),
			read: async (shown, signal) => {
				this.#tab.shown = shown;
				return (await this.#reader).read(shown, signal);
			},
			findRecording: async ({ turnId }, signal) => ({
				isRecorded: await (await this.#reader).isRecorded(turnId, signal),
			}),
			replay: async (turn, signal) => (await this.#reader).replay(turn, signal),
			recordNext: async ({ threadId }) => {
				await (await this.#reader).recordNext(threadId, () => this.#tab.notify(tracePageNotifications.changed, {}));
				return {};
			},
			showRecorded: async ({ opId }) => {
				this.#ports.showRecorded(opId);
				return {};
			},
			copyText: async ({ turnId }, signal) => {
				await vscode.env.clipboard.writeText(await (await this.#reader).readText(turnId, signal));
				return {};
			},
			copy: pageActs.copy,
		});
	}
}
