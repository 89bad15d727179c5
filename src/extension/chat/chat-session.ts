/**
 * One life of the chat's page: what it may ask for, and who answers. Keeps nothing of the conversation; a new page asks for
 * it again.
 */
import type * as vscode from 'vscode';
import type { LogPort } from '../../capability-host/contract/ports.ts';
import { deskRequests } from '../../protocol/approvals.ts';
import { changeRequests } from '../../protocol/changes.ts';
import { viewRequests } from '../../protocol/chat-view.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { modelRequests } from '../../protocol/models.ts';
import type { Peer, RequestHandlers } from '../../protocol/rpc/peer.ts';
import { threadRequests } from '../../protocol/thread.ts';
import { promptRequests } from './outgoing-prompts.ts';
import { PageSession } from '../webview/page-session.ts';

export interface SessionPorts {
	readonly log: LogPort;
	readonly view: RequestHandlers<typeof viewRequests>;
	readonly desk: RequestHandlers<typeof deskRequests>;
	readonly changes: RequestHandlers<typeof changeRequests>;
	readonly prompts: RequestHandlers<typeof promptRequests>;
	server(): Promise<Peer>;
	/** Lets go of what a deleted thread held in this host. */
	endThread(threadId: ThreadId): Promise<void>;
}

const { delete: deleteThread, prompt: _prompt, rerun: _rerun, ...forwarded } = threadRequests;
const listModels = { list: modelRequests.list };

export class ChatSession extends PageSession {
	constructor(webview: vscode.Webview, ports: SessionPorts) {
		super(webview, ports.log, 'chat');
		this.store.add(this.peer.serve(viewRequests, ports.view));
		this.store.add(this.peer.serve(deskRequests, ports.desk));
		this.store.add(this.peer.serve(changeRequests, ports.changes));
		this.store.add(this.peer.serve(promptRequests, ports.prompts));
		const server = () => ports.server();
		this.store.add(this.peer.forward(forwarded, server));
		this.store.add(
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
		// Only what the page shows: what makes the server ask an address is for commands, where the user types it.
		this.store.add(this.peer.forward(listModels, server));
	}
}
