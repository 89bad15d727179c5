/**
 * Networks of sandboxed commands: one for each thread, made for its first command and ended after it has long had none.
 * Each host tries out whether such a network works; where it does not, commands have no network at all.
 */
import type { Socket } from 'node:net';
import { existsSync } from 'node:fs';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import { CommandNetwork, type HostGate } from './command-network.ts';
import { CONNECTIONS_PER_NETWORK, NETWORK_IDLE_MS } from './limits.ts';
import { type NamespacePrograms, NetworkNamespace } from './network-namespace.ts';
import { serveProxyConnection } from './sandbox-proxy.ts';

interface SandboxNetworksDeps {
	/** The program that listens inside. */
	readonly listener: URL;
	/** Called with why there is no network: where there has never been one, once until it is tried again. */
	onUnusable(error: unknown): void;
}

const NSENTER_CANDIDATES = ['/usr/bin/nsenter', '/bin/nsenter', '/usr/local/bin/nsenter'];
/** Short form of the flags that a command is started with. */
const TRIAL = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-all', '--share-net'];

export class SandboxNetworks {
	readonly #deps: SandboxNetworksDeps;
	readonly #threads = new Map<ThreadId, ThreadNetwork>();
	/** All networks, including those of commands without a thread, each of which has a network of its own. */
	readonly #all = new Set<ThreadNetwork>();
	readonly #unusable = new Set<string>();
	readonly #tried = new Set<string>();
	#closed: Promise<void> | undefined;

	constructor(deps: SandboxNetworksDeps) {
		this.#deps = deps;
	}

	/** For one command, which disposes of it. Undefined where commands can have no network but an empty one. Never rejects. */
	async open(threadId: ThreadId | null, bubblewrap: string, gate: HostGate): Promise<CommandNetwork | undefined> {
		if (this.#closed !== undefined || this.#unusable.has(bubblewrap)) {
			return undefined;
		}
		const nsenter = NSENTER_CANDIDATES.find((path) => existsSync(path));
		if (nsenter === undefined) {
			this.#unusable.add(bubblewrap);
			this.#deps.onUnusable(new Error('nsenter is missing: install the package util-linux'));
			return undefined;
		}
		const network = this.#networkOf(threadId, { bubblewrap, nsenter, listener: this.#deps.listener });
		try {
			const opened = await network.open(gate);
			await this.#tryOnce(opened.namespace, bubblewrap);
			return opened.command;
		} catch (error) {
			// A host that has had one may have another later: a machine may be short of something for a while.
			if (!this.#tried.has(bubblewrap)) this.#unusable.add(bubblewrap);
			this.#deps.onUnusable(error);
			await network.close();
			return undefined;
		}
	}

	/**
	 * Opens a connection to a server that a command of the thread runs in its network. Resolves with nothing where none listens at
	 * that port; rejects when the signal aborts.
	 */
	async connect(threadId: ThreadId, port: number, signal: AbortSignal): Promise<Socket | undefined> {
		return await this.#threads.get(threadId)?.connect(port, signal);
	}

	/** Forgets which bubblewraps could not have a network, so that they are tried again. */
	tryAgain(): void {
		this.#unusable.clear();
	}

	async endThread(threadId: ThreadId): Promise<void> {
		await this.#threads.get(threadId)?.close();
	}

	close(): Promise<void> {
		this.#closed ??= Promise.all([...this.#all].map((network) => network.close())).then(() => undefined);
		return this.#closed;
	}

	#networkOf(threadId: ThreadId | null, programs: NamespacePrograms): ThreadNetwork {
		const known = threadId === null ? undefined : this.#threads.get(threadId);
		if (known !== undefined) {
			return known;
		}
		const network = new ThreadNetwork(programs, threadId === null ? 0 : NETWORK_IDLE_MS, () => {
			this.#all.delete(network);
			if (threadId !== null && this.#threads.get(threadId) === network) this.#threads.delete(threadId);
		});
		this.#all.add(network);
		if (threadId !== null) this.#threads.set(threadId, network);
		return network;
	}

	async #tryOnce(namespace: NetworkNamespace, bubblewrap: string): Promise<void> {
		if (this.#tried.has(bubblewrap)) {
			return;
		}
		if (!(await namespace.runs(bubblewrap, [...TRIAL, '--', '/bin/true']))) {
			throw new Error('bubblewrap does not start in the network of the sandbox');
		}
		this.#tried.add(bubblewrap);
	}
}

class ThreadNetwork {
	readonly #commands = new Map<string, CommandNetwork>();
	readonly #connections = new Set<Socket>();
	readonly #programs: NamespacePrograms;
	readonly #idleMs: number;
	readonly #onClosed: () => void;
	#namespace: Promise<NetworkNamespace> | undefined;
	#idle: NodeJS.Timeout | undefined;
	#closing: Promise<void> | undefined;

	constructor(programs: NamespacePrograms, idleMs: number, onClosed: () => void) {
		this.#programs = programs;
		this.#idleMs = idleMs;
		this.#onClosed = onClosed;
	}

	async open(gate: HostGate): Promise<{ readonly namespace: NetworkNamespace; readonly command: CommandNetwork }> {
		clearTimeout(this.#idle);
		this.#namespace ??= this.#begin();
		const namespace = await this.#namespace;
		if (this.#closing !== undefined || !namespace.isHeld) {
			throw new Error('the network of the thread has ended');
		}
		clearTimeout(this.#idle);
		const command: CommandNetwork = new CommandNetwork(namespace.enter, gate, () => this.#forget(command));
		this.#commands.set(command.credential, command);
		return { namespace, command };
	}

	async connect(port: number, signal: AbortSignal): Promise<Socket | undefined> {
		const namespace = await this.#namespace?.catch(() => undefined);
		if (this.#connections.size >= CONNECTIONS_PER_NETWORK || this.#closing !== undefined) return undefined;
		const socket = await namespace?.connect(port, signal);
		if (socket === undefined) return undefined;
		this.#follow(socket);
		// Close it where the network has ended meanwhile, with all its other connections.
		if (this.#closing !== undefined) socket.destroy();
		return socket;
	}

	/** Ends what its commands still have open. Never rejects. */
	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #begin(): Promise<NetworkNamespace> {
		const namespace = await NetworkNamespace.start(this.#programs, (socket) => this.#serve(socket));
		// Killed by somebody else: the next command begins another.
		void namespace.ended.then(() => this.close());
		return namespace;
	}

	async #close(): Promise<void> {
		clearTimeout(this.#idle);
		this.#onClosed();
		for (const command of [...this.#commands.values()]) command.dispose();
		for (const connection of this.#connections) connection.destroy();
		const namespace = await this.#namespace?.catch(() => undefined);
		await namespace?.close();
	}

	#serve(socket: Socket): void {
		if (this.#connections.size >= CONNECTIONS_PER_NETWORK || this.#closing !== undefined) {
			socket.destroy();
			return;
		}
		this.#follow(socket);
		void serveProxyConnection(socket, (credential) => this.#commands.get(credential));
	}

	#follow(socket: Socket): void {
		this.#connections.add(socket);
		socket.once('close', () => this.#connections.delete(socket));
	}

	#forget(command: CommandNetwork): void {
		this.#commands.delete(command.credential);
		if (this.#commands.size === 0 && this.#closing === undefined) {
			clearTimeout(this.#idle);
			this.#idle = setTimeout(() => void this.close(), this.#idleMs);
			this.#idle.unref();
		}
	}
}
