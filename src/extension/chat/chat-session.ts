/**
 * One life of the page: from the moment it may speak until it is hidden, closed or replaced. Keeps nothing of the
 * conversation; a new page asks for it again.
 */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { LogPort } from '../../capability-host/ports.ts';
import { deskRequests } from '../../protocol/approvals.ts';
import { changeRequests } from '../../protocol/changes.ts';
import { viewRequests } from '../../protocol/chat-view.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { modelRequests } from '../../protocol/models.ts';
import { Peer, type RequestHandlers } from '../../protocol/rpc/peer.ts';
import { postMessageWire } from '../../protocol/rpc/post-message-wire.ts';
import { WIRE_CODES } from '../../protocol/rpc/wire.ts';
import { threadRequests } from '../../protocol/thread.ts';
import { createFrameGuard, type Verdict } from './frame-guard.ts';

export interface SessionPorts {
	readonly log: LogPort;
	readonly view: RequestHandlers<typeof viewRequests>;
	readonly desk: RequestHandlers<typeof deskRequests>;
	readonly changes: RequestHandlers<typeof changeRequests>;
	server(): Promise<Peer>;
	/** Lets go of what a deleted thread held in this host. */
	endThread(threadId: ThreadId): Promise<void>;
}

const { delete: deleteThread, ...forwarded } = threadRequests;

export class ChatSession {
	readonly peer: Peer;
	readonly #store = new DisposableStore();

	constructor(webview: vscode.Webview, ports: SessionPorts) {
		const { log } = ports;
		const guard = createFrameGuard(() => performance.now());
		const complain = once(log);
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
					const refusal = refusalOf(frame, verdict);
					if (refusal !== undefined) {
						void webview.postMessage(refusal);
					}
				}),
			onBadFrame: () => complain('garbage'),
		});
		this.#store.add(toDisposable(() => wire.close()));
		this.peer = new Peer(wire, (method) => complain(method));
		this.#store.add(this.peer.serve(viewRequests, ports.view));
		this.#store.add(this.peer.serve(deskRequests, ports.desk));
		this.#store.add(this.peer.serve(changeRequests, ports.changes));
		const server = () => ports.server();
		this.#store.add(this.peer.forward(forwarded, server));
		this.#store.add(
			this.peer.serve(
				{ deleteThread },
				{
					// The user's request, not the server's word that a thread is gone: before-images go with it. A page that is
					// closed meanwhile does not take it back; the server's answer or its end is waited for.
					deleteThread: async (params) => {
						const deleted = await (await server()).call(deleteThread, params, new AbortController().signal);
						await ports.endThread(params.threadId);
						return deleted;
					},
				},
			),
		);
		this.#store.add(this.peer.forward(modelRequests, server));
	}

	/** Ends what the page had under way; turns and effects go on in the server and the host. */
	dispose(): void {
		this.#store.dispose();
	}
}

/** One line for each kind of trouble and page, however often it happens. */
function once(log: LogPort): (what: string) => void {
	const seen = new Set<string>();
	return (what) => {
		if (!seen.has(what) && seen.size < 20) {
			seen.add(what);
			log.warn(`chat: dropped a message of the page: ${what}`);
		}
	};
}

/** A request that is refused must be answered, or the page would wait for ever. */
function refusalOf(frame: unknown, verdict: Verdict): unknown {
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
			? vscode.l10n.t('The chat asked too often within a second.')
			: vscode.l10n.t('The message is too long.');
	return { kind: 'error', id: frame.id, code: WIRE_CODES.domainError, message, data: { code, facts: {} } };
}

export function freshNonce(): string {
	return randomUUID().replaceAll('-', '');
}
