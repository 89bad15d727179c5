/**
 * Connections of the host to servers that sandboxed commands run: a program inside the network opens each and hands it over. The
 * other way round there is none: no command gets out by it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { orAborted, raceTimeout } from '../../../base/time/bounded-wait.ts';
import { INNER_SERVER_MS, INNER_CONNECTIONS_OPENING, PROXY_PORT } from './limits.ts';

/** Message of the program inside: where it is, or what came of a wish. */
interface InnerAnswer {
	readonly namespace?: string;
	readonly id?: number;
}

export class InnerConnections {
	readonly #child: ChildProcess;
	readonly #opening = new Map<number, (socket: Socket | undefined) => void>();
	/** Resolves once the program has proven to be inside. */
	readonly #isInside: Promise<void>;
	#last = 0;

	/** `enter`: words that start a program inside. */
	constructor([program, ...words]: readonly [string, ...string[]], listener: URL) {
		const child = spawn(program, [...words, process.execPath, fileURLToPath(listener), 'connect'], {
			// Pass none of the host's environment; in an editor, its own program is Node only when told so.
			env: { ELECTRON_RUN_AS_NODE: '1' },
			// The input is never written: the program ends with this host, however the host ends.
			stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
		});
		this.#child = child;
		child.stdin?.on('error', () => undefined);
		this.#isInside = new Promise((resolve, reject) => {
			child.once('error', reject);
			child.once('exit', () => reject(new Error('nothing connects inside the sandbox')));
			child.once('message', ({ namespace }: InnerAnswer) => {
				if (namespace !== undefined && namespace !== readlinkSync('/proc/self/ns/net')) resolve();
				else reject(new Error('the sandbox would share the network of the host'));
			});
		});
		this.#isInside.catch(() => this.close());
		child.on('message', ({ id = 0 }: InnerAnswer, handle) => {
			this.#settle(id, handle instanceof Socket ? handle : undefined);
		});
		child.once('exit', () => this.close());
		child.unref();
		child.channel?.unref();
	}

	get isOpen(): boolean {
		return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.connected;
	}

	/** Resolves with nothing where no server listens at that port of loopback in time. Rejects when the signal aborts. */
	async connect(port: number, signal: AbortSignal): Promise<Socket | undefined> {
		// The proxy is no server of a command.
		if (port === PROXY_PORT || this.#opening.size >= INNER_CONNECTIONS_OPENING) return undefined;
		const id = ++this.#last;
		const opened = new Promise<Socket | undefined>((resolve) => this.#opening.set(id, resolve));
		const asked = this.#isInside.then(() => {
			if (this.#opening.has(id))
				this.#child.send({ id, port }, (error) => error !== null && this.#settle(id, undefined));
		});
		asked.catch(() => this.#settle(id, undefined));
		try {
			return await orAborted(raceTimeout(opened, INNER_SERVER_MS), signal);
		} catch (error) {
			// Closes one that comes together with the abort.
			void opened.then((socket) => socket?.destroy());
			throw error;
		} finally {
			// Closes one that comes too late.
			this.#settle(id, undefined);
		}
	}

	close(): void {
		this.#child.kill('SIGKILL');
		for (const id of this.#opening.keys()) this.#settle(id, undefined);
	}

	/** Settles a wish once; a connection that nobody waits for any more is closed. */
	#settle(id: number, socket: Socket | undefined): void {
		const waiting = this.#opening.get(id);
		this.#opening.delete(id);
		if (waiting === undefined) socket?.destroy();
		else waiting(socket);
	}
}
