/**
 * Turns of a thread as the command line and the editor compose them, in one process: the trusted base, the server with its
 * store, and a model endpoint that follows a script. Only the wire between host and server is in memory.
 */
import { createTrustedBase } from '../../src/host/compose.ts';
import type { TrustedBase } from '../../src/host/trusted-base.ts';
import { newId, type ThreadId } from '../../src/protocol/rpc/ids.ts';
import type { Peer } from '../../src/protocol/rpc/peer.ts';
import type { Mode, ThreadEvent, ThreadSnapshot } from '../../src/protocol/thread/thread.ts';
import { threadNotifications, threadRequests } from '../../src/protocol/thread/thread-requests.ts';
import { composedServer, providersOf } from './composed-server.ts';
import { type TestHost, testHost, type TestHostOptions } from './host-ports.ts';
import { sharedStore } from './shared-store.ts';
import { linkedPeers } from './linked-peers.ts';
import { type ModelServer, type Script, startModelServer } from './model-server.ts';
import { waitFor } from './wait-for.ts';

const never = new AbortController().signal;

interface TurnSceneOptions extends TestHostOptions {
	readonly script: Script;
}

export class TurnScene {
	readonly host: TestHost;
	readonly base: TrustedBase;
	readonly model: ModelServer;
	/** Events of all threads, in their order. */
	readonly events: ThreadEvent[] = [];
	/** Number of updates that these came in. */
	updates = 0;
	readonly #peer: Peer;
	readonly #close: () => Promise<void>;

	private constructor(host: TestHost, base: TrustedBase, model: ModelServer, peer: Peer, close: () => Promise<void>) {
		this.host = host;
		this.base = base;
		this.model = model;
		this.#peer = peer;
		this.#close = close;
		peer.on(threadNotifications, {
			update: ({ events }) => {
				this.updates += 1;
				this.events.push(...events);
			},
		});
	}

	static async open({ script, ...options }: TurnSceneOptions): Promise<TurnScene> {
		const model = await startModelServer(script);
		const { near, far } = linkedPeers();
		const server = composedServer(near, far);
		const host = testHost({
			...options,
			settings: { 'prowess.providers': providersOf(model), ...options.settings },
			server: () => Promise.resolve(near),
		});
		const base = await createTrustedBase(host.ports, sharedStore);
		const connection = base.serveServer(near);
		await server.start(host);
		return new TurnScene(host, base, model, near, async () => {
			await base.close();
			connection.dispose();
			await server.close();
			await model.close();
		});
	}

	/** Server for the door of a client. */
	get server() {
		const peer = this.#peer;
		const call: Peer['call'] = (...request) => peer.call(...request);
		return { peer, gone: never, call, kill: () => {} };
	}

	/** A thread in that mode, as both hosts begin it. */
	async begin(mode: Mode = 'agent'): Promise<ThreadId> {
		const threadId = newId('thr');
		await this.#peer.call(threadRequests.create, { threadId, modelId: 'test/scripted', mode }, never);
		await this.base.modes.set(threadId, mode, never);
		return threadId;
	}

	/** Sends the message; resolves when its turn has begun. */
	async sends(threadId: ThreadId, text: string): Promise<void> {
		this.base.beginThread(threadId, text);
		await this.#peer.call(threadRequests.prompt, { threadId, text }, never);
	}

	async stops(threadId: ThreadId): Promise<void> {
		await this.#peer.call(threadRequests.stop, { threadId }, never);
	}

	/** Waits for the end of the n-th turn (from 1) and returns its outcome. */
	async ended(turn = 1): Promise<Extract<ThreadEvent, { type: 'turn.end' }>['outcome']> {
		const ends = () => this.events.flatMap((event) => (event.type === 'turn.end' ? [event.outcome] : []));
		await waitFor('the end of the turn', () => ends().length >= turn);
		return ends()[turn - 1] ?? 'failed';
	}

	async opened(threadId: ThreadId): Promise<ThreadSnapshot> {
		return await this.#peer.call(threadRequests.open, { threadId, items: 1000 }, never);
	}

	async exported(threadId: ThreadId): Promise<string> {
		return (await this.#peer.call(threadRequests.export, { threadId, format: 'markdown' }, never)).text;
	}

	async close(): Promise<void> {
		await this.#close();
	}
}
