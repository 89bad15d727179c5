/**
 * A network without any device but its own loopback, in which commands of one thread find each other and our proxy, and
 * nothing else. A small process holds it; commands join it. The proxy's socket is opened inside and handed to this host.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { createServer, Server, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { raceTimeout, withTimeLimit } from '../../../base/time/bounded-wait.ts';
import type { InnerConnections } from './inner-connections.ts';
import { HOLDER_END_MS, NETWORK_START_MS } from './limits.ts';

export interface NamespacePrograms {
	readonly bubblewrap: string;
	/** Path of `nsenter`, a program of util-linux. */
	readonly nsenter: string;
	/** The program that listens inside. */
	readonly listener: URL;
}

/**
 * Flags of the process that holds the namespace. The process sees everything but does nothing: it waits for the end of
 * its input, which comes with the end of its owner.
 */
const HOLD = ['--ro-bind', '/', '/', '--unshare-user', '--unshare-net', '--unshare-pid', '--die-with-parent'];

export class NetworkNamespace {
	/**
	 * Words that start a program in the namespace; the program follows. The program keeps its user, and needs a user
	 * namespace of its own.
	 */
	readonly enter: readonly [string, ...string[]];
	/** Resolves when nothing holds it any more. */
	readonly ended: Promise<void>;
	readonly #holder: ChildProcess;
	readonly #listener: URL;
	#server: Server | undefined;
	#inner: InnerConnections | undefined;

	private constructor(holder: ChildProcess, pid: number, { nsenter, listener }: NamespacePrograms) {
		this.#holder = holder;
		this.#listener = listener;
		const createNamespaceFlag = (kind: string) => `--${kind}=/proc/${pid}/ns/${kind}`;
		this.enter = [nsenter, '--preserve-credentials', createNamespaceFlag('user'), createNamespaceFlag('net'), '--'];
		this.ended = waitForExit(holder);
	}

	/** Rejects where the system does not let us, and then leaves nothing behind. `onConnection`: to the proxy's port, from inside. */
	static async start(programs: NamespacePrograms, onConnection: (socket: Socket) => void): Promise<NetworkNamespace> {
		const args = [...HOLD, '--info-fd', '3', '--', '/bin/sh', '-c', 'read -r _'];
		const holder = spawn(programs.bubblewrap, args, { stdio: ['pipe', 'ignore', 'pipe', 'pipe'], env: {} });
		holder.stdin?.on('error', () => undefined);
		const stop = () => holder.kill('SIGKILL');
		const limit = { what: 'the network of the sandbox', timeoutMs: NETWORK_START_MS };
		try {
			return await withTimeLimit(limit, async (signal) => {
				signal.addEventListener('abort', stop, { once: true });
				const namespace = new NetworkNamespace(holder, await heldBy(holder), programs);
				namespace.#server = await namespace.#listen(programs.listener, onConnection, signal);
				return namespace;
			});
		} catch (error) {
			stop();
			throw error;
		}
	}

	get isHeld(): boolean {
		return this.#holder.exitCode === null && this.#holder.signalCode === null;
	}

	/** Resolves with true when this program runs in the namespace and succeeds. */
	async runs(file: string, args: readonly string[]): Promise<boolean> {
		const [program, ...words] = this.enter;
		return await new Promise((resolve) => {
			execFile(program, [...words, file, ...args], { env: {}, timeout: NETWORK_START_MS }, (error) => {
				resolve(error === null);
			});
		});
	}

	/** Opens a connection to a server inside, as `InnerConnections` does. */
	async connect(port: number, signal: AbortSignal): Promise<Socket | undefined> {
		if (!this.isHeld) return undefined;
		const { InnerConnections: Connections } = await import('./inner-connections.ts');
		if (!this.isHeld) return undefined;
		if (this.#inner?.isOpen !== true) this.#inner = new Connections(this.enter, this.#listener);
		return await this.#inner.connect(port, signal);
	}

	/** Commands that are in it keep it, but reach nothing any more. */
	async close(): Promise<void> {
		this.#server?.close();
		this.#inner?.close();
		this.#holder.stdin?.end();
		if (
			(await raceTimeout(
				this.ended.then(() => true),
				HOLDER_END_MS,
			)) === undefined
		) {
			this.#holder.kill('SIGKILL');
			await this.ended;
		}
	}

	async #listen(listener: URL, onConnection: (socket: Socket) => void, signal: AbortSignal): Promise<Server> {
		const [program, ...words] = this.enter;
		const child = spawn(program, [...words, process.execPath, fileURLToPath(listener)], {
			// Pass none of the host's environment; in an editor, its own program is Node only when told so.
			env: { ELECTRON_RUN_AS_NODE: '1' },
			// The input is never written: the program ends with this host, however the host ends.
			stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
		});
		child.stdin?.on('error', () => undefined);
		const stop = () => child.kill('SIGKILL');
		signal.addEventListener('abort', stop, { once: true });
		try {
			const said = collectStreamText(child.stderr);
			return await new Promise<Server>((resolve, reject) => {
				child.once('error', reject);
				child.once('exit', (code) => reject(new Error(`nothing listens in the sandbox (${code}): ${said()}`)));
				child.once('message', (message: { readonly namespace?: unknown }, received) => {
					child.disconnect();
					if (message.namespace === readlinkSync('/proc/self/ns/net')) {
						if (received instanceof Server) received.close();
						reject(new Error('the sandbox would share the network of the host'));
						return;
					}
					// Halves of a connection end by themselves: an answer may come after its question has ended.
					const server = createServer({ allowHalfOpen: true }, onConnection);
					server.on('error', () => undefined);
					server.listen(received, () => resolve(server.unref()));
				});
			});
		} finally {
			signal.removeEventListener('abort', stop);
		}
	}
}

/** The process that holds the namespaces, as bubblewrap names it. */
async function heldBy(holder: ChildProcess): Promise<number> {
	const said = collectStreamText(holder.stderr);
	const info = collectStreamText(holder.stdio[3] as Readable);
	await new Promise<void>((resolve, reject) => {
		holder.once('error', reject);
		holder.once('exit', () => reject(new Error(`no network namespace: ${said()}`)));
		holder.stdio[3]?.once('end', () => resolve());
	});
	const pid: unknown = (JSON.parse(info()) as Readonly<Record<string, unknown>>)['child-pid'];
	if (typeof pid !== 'number') {
		throw new Error(`bubblewrap does not say what holds the network: ${info()}`);
	}
	return pid;
}

function collectStreamText(stream: Readable | null): () => string {
	let text = '';
	stream?.on('data', (piece: Buffer) => {
		text = `${text}${piece.toString('utf8')}`.slice(-1_000);
	});
	stream?.on('error', () => undefined);
	return () => text.trim();
}

function waitForExit(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) {
		return Promise.resolve();
	}
	return new Promise((resolve) => child.once('exit', () => resolve()));
}
