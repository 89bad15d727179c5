/**
 * Network of a single command. Each host is asked for once; allowed hosts are reached through the proxy, which knows
 * the command by the credential in its address. All connections end with the command.
 */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { CheckedAddresses } from '../../http/resolve-host.ts';
import type { TargetUrl } from '../../http/target-url.ts';
import { HOSTS_PER_COMMAND, PROXY_PORT } from './limits.ts';

/** Traffic to a single host; `sent` and `received` count bytes. */
export interface Traffic {
	readonly connections: number;
	readonly sent: number;
	readonly received: number;
}

/** Holds for the whole command. `failed`: the host was not found. */
export type Admission =
	| {
			readonly kind: 'admitted';
			readonly addresses: CheckedAddresses;
			/** Called once, when the command has ended. */
			settle(traffic: Traffic): void;
	  }
	| { readonly kind: 'refused' | 'failed'; readonly why: string };

/** A way to a server that has no address here. `connect` rejects where it does not answer. */
export interface InnerServer {
	readonly kind: 'inner';
	connect(): Promise<Socket>;
}

/** Decides for one command which hosts it reaches. */
export interface HostGate {
	/** May wait for a person; never rejects but with the signal's reason. */
	admit(target: TargetUrl, signal: AbortSignal): Promise<Admission>;
}

interface AskedHost {
	readonly admission: Promise<Admission>;
	readonly open: Set<Socket>;
	connections: number;
	sent: number;
	received: number;
}

export class CommandNetwork {
	/** Words that start a program in the namespace; the program follows. */
	readonly enter: readonly [string, ...string[]];
	/** Tells programs of the proxy; only those of this thread reach it. */
	readonly environment: Readonly<Record<string, string>>;
	readonly credential = randomBytes(18).toString('hex');
	readonly #gate: HostGate;
	readonly #hosts = new Map<string, AskedHost>();
	readonly #refused = new Set<string>();
	readonly #life = new AbortController();
	readonly #onEnd: () => void;

	constructor(enter: readonly [string, ...string[]], gate: HostGate, onEnd: () => void) {
		this.enter = enter;
		this.#gate = gate;
		this.#onEnd = onEnd;
		this.environment = proxyEnvironment(`http://prowess:${this.credential}@127.0.0.1:${PROXY_PORT}`);
	}

	/** Hosts that it asked for and did not get, as rules write them. */
	get refused(): readonly string[] {
		return [...this.#refused];
	}

	/** Never rejects. */
	async admit(target: TargetUrl): Promise<Admission> {
		const asked = this.#hosts.get(target.host) ?? this.#ask(target);
		const admission = await asked.admission;
		if (admission.kind === 'refused' && this.#hosts.has(target.host)) this.#refused.add(target.host);
		return this.#life.signal.aborted ? { kind: 'refused', why: 'the command has ended' } : admission;
	}

	/** Counts what goes over the connection, and ends it with the command. */
	follow({ host }: TargetUrl, connection: Socket): void {
		const asked = this.#hosts.get(host);
		if (asked === undefined || this.#life.signal.aborted) {
			connection.destroy();
			return;
		}
		asked.open.add(connection);
		asked.connections += 1;
		connection.once('close', () => countTraffic(asked, connection));
	}

	/** The command has ended. */
	dispose(): void {
		if (this.#life.signal.aborted) {
			return;
		}
		this.#life.abort(new Error('the command has ended'));
		for (const asked of this.#hosts.values()) {
			for (const connection of asked.open) {
				countTraffic(asked, connection);
				connection.destroy();
			}
			const { connections, sent, received } = asked;
			void asked.admission.then((admission) => {
				if (admission.kind === 'admitted') admission.settle({ connections, sent, received });
			});
		}
		this.#onEnd();
	}

	#ask(target: TargetUrl): AskedHost {
		const tooMany = { kind: 'refused', why: `a command reaches at most ${HOSTS_PER_COMMAND} hosts` } as const;
		const admission =
			this.#hosts.size >= HOSTS_PER_COMMAND ? Promise.resolve(tooMany) : this.#gate.admit(target, this.#life.signal);
		const asked: AskedHost = {
			admission: admission.catch((error: unknown) => ({ kind: 'failed', why: String(error) })),
			open: new Set(),
			connections: 0,
			sent: 0,
			received: 0,
		};
		if (this.#hosts.size < HOSTS_PER_COMMAND) this.#hosts.set(target.host, asked);
		return asked;
	}
}

function countTraffic(asked: AskedHost, connection: Socket): void {
	if (asked.open.delete(connection)) {
		asked.sent += connection.bytesWritten;
		asked.received += connection.bytesRead;
	}
}

/** Loopback is the thread's own and needs no proxy. Node reads these only when told so. */
function proxyEnvironment(proxy: string): Record<string, string> {
	const here = 'localhost,127.0.0.1,::1';
	return {
		HTTP_PROXY: proxy,
		HTTPS_PROXY: proxy,
		http_proxy: proxy,
		https_proxy: proxy,
		NO_PROXY: here,
		no_proxy: here,
		NODE_USE_ENV_PROXY: '1',
	};
}
