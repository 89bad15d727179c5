/**
 * The server as the rest of the extension sees it: a peer that is there when somebody needs it. Starts it on first need,
 * again when it dies, and says so when it keeps dying. Before the workspace is trusted it starts nothing.
 */
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { orAborted } from '../../base/time/bounded-wait.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { ServerState } from '../../protocol/pages/chat-view.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { WrapWire } from '../../protocol/rpc/wire.ts';
import { extensionLimits } from '../editor/limits.ts';
import { nextLife, restartPauseMs, type ServerEvent, type ServerLife } from './server-lifecycle.ts';
import type { EditorServerProcess } from './server-process.ts';

interface ServerClientPorts {
	readonly log: LogPort;
	isTrusted(): boolean;
	/** A fresh process, not started yet. `wrap`: gets the wire to it, and gives what is used in its place. */
	createProcess(wrap: WrapWire | undefined): Promise<EditorServerProcess>;
	/** Registers all that the server may ask for. */
	serve(peer: Peer): Promise<Disposable>;
	/** The first message; nothing else is sent before it is answered. */
	handshake(peer: Peer, signal: AbortSignal, isRecorded: boolean): Promise<void>;
	/** Returns the sentence that the user reads for an error. */
	sentenceOf(error: ProwessError): string;
}

export class ServerClient {
	readonly #ports: ServerClientPorts;
	readonly #changed = new Emitter<ServerState>();
	readonly #closing = new AbortController();
	#life: ServerLife = { kind: 'idle' };
	#process: EditorServerProcess | undefined;
	#running: Peer | undefined;
	/** For the next process, which is recorded. */
	#wrap: WrapWire | undefined;
	#waiting: { readonly resolve: (peer: Peer) => void; readonly reject: (error: unknown) => void }[] = [];

	constructor(ports: ServerClientPorts) {
		this.#ports = ports;
	}

	readonly onDidChange = this.#changed.event;

	get state(): ServerState {
		return this.#life.kind === 'closed' ? { kind: 'idle' } : toServerState(this.#life);
	}

	/** The peer of a running server, if there is one; starts nothing. */
	get running(): Peer | undefined {
		return this.#running;
	}

	/** Rejects with WORKSPACE_UNTRUSTED, or with SERVER_DEGRADED and the reason. */
	async peer(): Promise<Peer> {
		if (!this.#ports.isTrusted()) {
			throw new ProwessError('WORKSPACE_UNTRUSTED', 'nothing is started before the workspace is trusted');
		}
		this.#advance({ kind: 'needed' });
		if (this.#running !== undefined) {
			return this.#running;
		}
		const refusal = refusalIn(this.#life);
		if (refusal !== undefined) {
			throw refusal;
		}
		return new Promise((resolve, reject) => {
			this.#waiting.push({ resolve, reject });
		});
	}

	/** A fresh server, whatever the state of the old one. `wrap`: records what passes between it and this host. */
	async restart(wrap?: WrapWire): Promise<Peer> {
		this.#wrap = wrap;
		if (this.#ports.isTrusted() && this.#life.kind !== 'closed') {
			const old = this.#letGo();
			await old?.close();
			this.#advance({ kind: 'restartAsked' });
		}
		return this.peer();
	}

	/** Idempotent, bounded; nothing starts afterwards. */
	async close(): Promise<void> {
		this.#advance({ kind: 'closed' });
		this.#closing.abort(new ProwessError('SERVER_GONE', 'the extension is being deactivated'));
		await this.#letGo()?.close();
		this.#changed.dispose();
	}

	#advance(event: ServerEvent): void {
		const before = this.#life;
		this.#life = nextLife(before, event);
		if (this.#life === before) {
			return;
		}
		if (this.#life.kind === 'starting') {
			void this.#start(restartPauseMs(this.#life));
		}
		const refusal = refusalIn(this.#life);
		if (refusal !== undefined) {
			for (const { reject } of this.#waiting.splice(0)) {
				reject(refusal);
			}
		}
		this.#changed.fire(this.state);
	}

	/** Never rejects: what goes wrong is a death of the server. */
	async #start(pauseMs: number): Promise<void> {
		const { log } = this.#ports;
		const life = this.#life;
		let served: Disposable | undefined;
		let fresh: EditorServerProcess | undefined;
		try {
			await new Promise((resolve) => setTimeout(resolve, pauseMs));
			const wrap = this.#wrap;
			this.#wrap = undefined;
			fresh = await this.#ports.createProcess(wrap);
			if (this.#life !== life) {
				await fresh.close();
				return;
			}
			this.#process = fresh;
			const { peer, gone } = fresh;
			gone.addEventListener('abort', () => this.#onGone(gone, served), { once: true });
			served = await this.#ports.serve(peer);
			const limit = deriveSignal(this.#closing.signal, {
				what: 'starting the server',
				timeoutMs: extensionLimits.serverStartMs,
			});
			try {
				await orAborted(fresh.start(), limit.signal);
				await this.#ports.handshake(peer, limit.signal, wrap !== undefined);
			} finally {
				limit.dispose();
			}
			if (this.#process !== fresh) {
				return;
			}
			this.#running = peer;
			this.#advance({ kind: 'started' });
			for (const { resolve } of this.#waiting.splice(0)) {
				resolve(peer);
			}
		} catch (error) {
			log.error(`server: did not start: ${error instanceof Error ? error.message : String(error)}`);
			if (this.#life === life && isProwessError(error) && error.code === 'STORE_NEWER') {
				this.#advance({ kind: 'hopeless', reason: this.#ports.sentenceOf(error), error });
			}
			if (fresh === undefined) {
				this.#advance({
					kind: 'gone',
					at: performance.now(),
					reason: error instanceof Error ? error.message : String(error),
				});
			} else {
				await fresh.close();
			}
		}
	}

	#onGone(gone: AbortSignal, served: Disposable | undefined): void {
		served?.dispose();
		if (this.#process?.gone !== gone) {
			return;
		}
		this.#process = undefined;
		this.#running = undefined;
		const reason = String(gone.reason);
		this.#ports.log.warn(`server: gone: ${reason}`);
		this.#advance({ kind: 'gone', at: performance.now(), reason });
	}

	/** Lets go of the process, so that its end, which is wanted, counts as no death. */
	#letGo(): EditorServerProcess | undefined {
		const old = this.#process;
		this.#process = undefined;
		this.#running = undefined;
		return old;
	}
}

function toServerState(life: Exclude<ServerLife, { kind: 'closed' }>): ServerState {
	return life.kind === 'degraded' ? { kind: 'degraded', reason: life.reason } : { kind: life.kind };
}

function refusalIn(life: ServerLife): ProwessError | undefined {
	switch (life.kind) {
		case 'degraded':
			return (
				life.error ??
				new ProwessError('SERVER_DEGRADED', `the server died too often: ${life.reason}`, { reason: life.reason })
			);
		case 'closed':
			return new ProwessError('SERVER_GONE', 'the extension is being deactivated');
		default:
			return undefined;
	}
}
