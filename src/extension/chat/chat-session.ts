/**
 * Session of the chat's page for one life of the page: its requests and their handlers. Keeps nothing of the
 * conversation; a new page asks for it again.
 */
import type * as vscode from 'vscode';
import { toDisposable } from '../../base/disposable.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { ThreadReader } from '../../trust/record/thread-reader.ts';
import { agentRequests } from '../../protocol/agents/agent-view.ts';
import { deskRequests } from '../../protocol/approvals/approvals.ts';
import { changeRequests } from '../../protocol/approvals/changes.ts';
import { restoreRequests } from '../../protocol/thread/restores.ts';
import { chatNotifications, viewRequests } from '../../protocol/pages/chat-view.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { TypedInput } from '../../protocol/pages/typed-input.ts';
import { modelRequests } from '../../protocol/turn/models.ts';
import type { Peer, RequestHandlers } from '../../protocol/rpc/peer.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { levelRequests } from '../../protocol/thread/thread-level.ts';
import { type PromptHandlers, promptRequests } from './requests/outgoing-prompts.ts';
import type { ShownLevel } from '../shown/shown-level.ts';
import { PageSession } from '../webview/page-session.ts';

export interface SessionPorts {
	readonly log: LogPort;
	readonly view: RequestHandlers<typeof viewRequests>;
	readonly desk: RequestHandlers<typeof deskRequests>;
	readonly agents: RequestHandlers<typeof agentRequests>;
	readonly changes: RequestHandlers<typeof changeRequests>;
	readonly restores: RequestHandlers<typeof restoreRequests>;
	readonly prompts: PromptHandlers;
	readonly levels: Pick<ShownLevel, 'of' | 'choose' | 'begun'>;
	/** Keeps the mode of a thread in this host. */
	keepMode(threadId: ThreadId, mode: Mode, signal: AbortSignal): Promise<void>;
	/** Labels a thread that begins with messages of another. */
	handOnLabel(from: ThreadId, to: ThreadId, signal: AbortSignal): Promise<void>;
	/** Answers for a server that keeps crashing. */
	readonly reader: ThreadReader;
	server(): Promise<Peer>;
	/** The page got the keyboard, lost it, or is gone. */
	keyboard(isHere: boolean): void;
	/** Title of the thread that the page shows. */
	title(title: string): void;
	/** Keeps what the user has typed, for the next page. */
	keep(typed: TypedInput): void;
	/** Lets go of what a deleted thread held in this host. */
	endThread(threadId: ThreadId): Promise<void>;
}

const {
	create: createThread,
	delete: deleteThread,
	prompt: _prompt,
	steer: _steer,
	rerun: _rerun,
	update: _update,
	// The host's: agents write with the first, and it restores files with the second.
	tell: _tell,
	rewind: _rewind,
	fork: forkThread,
	list,
	open,
	earlier,
	...forwarded
} = threadRequests;
const modelsOfPage = { list: modelRequests.list, askAgain: modelRequests.askAgain };

export class ChatSession extends PageSession {
	constructor(webview: vscode.Webview, ports: SessionPorts) {
		super(webview, ports.log, 'chat');
		this.store.add(this.peer.serve(viewRequests, ports.view));
		this.store.add(
			this.peer.on(chatNotifications, {
				keyboard: ({ isHere }) => ports.keyboard(isHere),
				keep: (typed) => ports.keep(typed),
				title: ({ title }) => ports.title(title),
			}),
		);
		this.store.add(toDisposable(() => ports.keyboard(false)));
		this.store.add(this.peer.serve(deskRequests, ports.desk));
		this.store.add(this.peer.serve(agentRequests, ports.agents));
		this.store.add(this.peer.serve(changeRequests, ports.changes));
		this.store.add(this.peer.serve(restoreRequests, ports.restores));
		this.store.add(this.peer.serve(promptRequests, ports.prompts));
		const server = () => ports.server();
		this.store.add(this.peer.forward(forwarded, server));
		const { reader } = ports;
		this.store.add(
			this.peer.serve(
				{ list, open, earlier },
				{
					list: (params, signal) =>
						askOrReadFromDisk(
							server,
							(peer) => peer.call(list, params, signal),
							() => reader.list(params, signal),
						),
					open: (params, signal) =>
						askOrReadFromDisk(
							server,
							(peer) => peer.call(open, params, signal),
							() => reader.open(params, signal),
						),
					earlier: (params, signal) =>
						askOrReadFromDisk(
							server,
							(peer) => peer.call(earlier, params, signal),
							() => reader.earlier(params, signal),
						),
				},
			),
		);
		this.store.add(
			this.peer.serve(
				{ createThread, deleteThread, forkThread },
				{
					forkThread: async (params, signal) => {
						const forked = await (await server()).call(forkThread, params, signal);
						await ports.handOnLabel(params.threadId, forked.thread.id, signal);
						// Keeps the mode as for a new thread. The permission level starts as for a new thread, too: no
						// thread inherits what was allowed in another.
						await ports.keepMode(forked.thread.id, forked.thread.mode, signal);
						return forked;
					},
					createThread: async ({ agent: _agent, ...params }, signal) => {
						const created = await (await server()).call(createThread, params, signal);
						// Before the first message: nothing runs in it in another mode, or at another level, than was chosen.
						await ports.keepMode(created.id, params.mode ?? 'agent', signal);
						await ports.levels.begun(created.id, signal);
						return created;
					},
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
		this.store.add(
			this.peer.serve(levelRequests, {
				of: ({ threadId }, signal) => ports.levels.of(threadId, signal),
				choose: ({ threadId, level }, signal) => ports.levels.choose(threadId, level, signal),
			}),
		);
		// Only what the page shows and offers there: what makes the server ask an address is for commands, where the user types it.
		this.store.add(this.peer.forward(modelsOfPage, server));
	}
}

/**
 * Asks the server, or reads from the disk when the server keeps crashing. When the disk fails too, rejects with why the
 * server is gone; THREAD_NOT_FOUND is passed on, as are WORKSPACE_UNTRUSTED and SERVER_GONE.
 */
async function askOrReadFromDisk<T>(
	server: () => Promise<Peer>,
	ask: (peer: Peer) => Promise<T>,
	read: () => Promise<T>,
): Promise<T> {
	let peer: Peer;
	try {
		peer = await server();
	} catch (refusal) {
		if (!isProwessError(refusal) || ['WORKSPACE_UNTRUSTED', 'SERVER_GONE'].includes(refusal.code)) {
			throw refusal;
		}
		try {
			return await read();
		} catch (error) {
			throw isProwessError(error) && error.code === 'THREAD_NOT_FOUND' ? error : refusal;
		}
	}
	return ask(peer);
}
