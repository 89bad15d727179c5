/** *Show Trace of the Last Turn*: one tab with how a turn went. The page draws and puts it into words; what it shows is read here. */
import * as vscode from 'vscode';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { OpId, TurnId } from '../../protocol/rpc/ids.ts';
import type { ResultOf } from '../../protocol/rpc/message.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { traceLines } from '../../protocol/pages/trace-lines.ts';
import { ShownTrace, tracePageNotifications, tracePageRequests } from '../../protocol/pages/trace-page.ts';
import { traceRequests } from '../../protocol/thread/turn-trace.ts';
import type { Activity } from '../notices/activity.ts';
import { TRACE_PAGE } from '../editor/command-table.ts';
import { extensionLimits } from '../editor/limits.ts';
import { pageActs } from '../webview/page-acts.ts';
import { KeptPageTab } from '../webview/page-tab.ts';

interface TracePagePorts {
	readonly log: LogPort;
	readonly extensionUri: vscode.Uri;
	server(): Promise<Peer>;
	showRecorded(opId: OpId): void;
}

const NO_TRACE: ShownTrace = { threadId: null, turnId: null };

export class TracePage {
	readonly #ports: TracePagePorts;
	readonly #tab: KeptPageTab<ShownTrace>;

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

	#serve(peer: Peer): void {
		peer.serve(tracePageRequests, {
			start: async () => ({ shown: this.#tab.shown, ...this.#tab.start() }),
			read: async (shown, signal) => {
				this.#tab.shown = shown;
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
			copy: pageActs.copy,
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
		const limit = deriveSignal(signal, { what: 'reading a trace', timeoutMs: extensionLimits.traceMs });
		try {
			return await work(limit.signal);
		} finally {
			limit.dispose();
		}
	}
}
