/**
 * The only way of a browser into the network: a proxy on loopback that asks about each host and connects to checked addresses.
 * Whatever a page starts passes it: requests, redirects, frames, workers and sockets. The browser looks up no name by itself.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { CheckedAddresses } from '../http/resolve-host.ts';
import type { TargetUrl } from '../http/target-url.ts';
import type { Admission, InnerServer } from '../sandbox/network/command-network.ts';
import { serveProxyConnection } from '../sandbox/network/sandbox-proxy.ts';
import { BROWSER_CONNECTIONS, REFUSED_HOSTS } from './limits.ts';

/** Ways to a host that the pages may reach now: its addresses, or a server in the sandbox. Rejects for every other host. */
export type AdmitHost = (target: TargetUrl, signal: AbortSignal) => Promise<CheckedAddresses | InnerServer>;

export class PageNetwork {
	/** Programs beside the browser do not know it, so they do not get through. */
	readonly credential = randomBytes(18).toString('hex');
	readonly #server: Server;
	readonly #admit: AdmitHost;
	readonly #sockets = new Set<Socket>();
	readonly #refused = new Set<string>();
	readonly #life = new AbortController();

	private constructor(admit: AdmitHost) {
		this.#admit = admit;
		this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#serve(socket));
	}

	static async start(admit: AdmitHost): Promise<PageNetwork> {
		const network = new PageNetwork(admit);
		await new Promise<void>((resolve, reject) => {
			network.#server.once('error', reject);
			network.#server.listen(0, '127.0.0.1', resolve);
		});
		return network;
	}

	get address(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	/** True for a host that was asked for and not let through, of the first ones. */
	isRefused(host: string): boolean {
		return this.#refused.has(host);
	}

	/** Ends all connections: the pages are to reach other hosts from now on. */
	reset(): void {
		this.#refused.clear();
		for (const socket of this.#sockets) socket.destroy();
	}

	async close(): Promise<void> {
		this.#life.abort(new Error('the browser has ended'));
		this.reset();
		await new Promise<void>((resolve) => this.#server.close(() => resolve()));
	}

	#serve(socket: Socket): void {
		if (this.#sockets.size >= BROWSER_CONNECTIONS || this.#life.signal.aborted) {
			socket.destroy();
			return;
		}
		this.#follow(socket);
		const network = {
			admit: (target: TargetUrl) => this.#decide(target),
			follow: (_target: TargetUrl, connection: Socket) => this.#follow(connection),
		};
		void serveProxyConnection(socket, (credential) => (credential === this.credential ? network : undefined));
	}

	#follow(socket: Socket): void {
		this.#sockets.add(socket);
		socket.once('close', () => this.#sockets.delete(socket));
	}

	async #decide(target: TargetUrl): Promise<Admission | InnerServer> {
		try {
			const addresses = await this.#admit(target, this.#life.signal);
			if ('connect' in addresses) return addresses;
			return { kind: 'admitted', addresses, settle() {} };
		} catch (error) {
			if (this.#refused.size < REFUSED_HOSTS) this.#refused.add(target.host);
			return { kind: 'refused', why: toErrorMessage(error) };
		}
	}
}
