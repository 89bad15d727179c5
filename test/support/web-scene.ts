/** `prowess web` in the process of a spec: real door, sockets, gate, server and store, and a model that follows a script. */
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { toDisposable } from '../../src/base/disposable.ts';
import { Clients } from '../../src/host/doors/clients.ts';
import type { FolderOfPages } from '../../src/host/doors/web/browser-connection.ts';
import type { DoorCertificate } from '../../src/host/doors/listening.ts';
import { openWebDoor, type WebDoor } from '../../src/host/doors/web/web-door.ts';
import { WebDevices } from '../../src/host/doors/web/web-devices.ts';
import type { ClientRight } from '../../src/protocol/approvals/access.ts';
import type { PairedDevice } from '../../src/protocol/doors/web.ts';
import type { LedgerRow } from '../../src/protocol/approvals/ledger.ts';
import { Peer } from '../../src/protocol/rpc/peer.ts';
import { postMessageWire } from '../../src/protocol/rpc/post-message-wire.ts';
import { readPageStrings } from '../../src/cli/home/page-files.ts';
import type { Script } from './model-server.ts';
import { TurnScene } from './turn-scene.ts';
import { waitFor } from './wait-for.ts';

const never = new AbortController().signal;

interface WebSceneOptions {
	readonly script?: Script;
	/** Files of our pages by their path; without them there are none. */
	readonly pages?: ReadonlyMap<string, Uint8Array>;
	readonly origins?: readonly string[];
	readonly address?: string;
	readonly certificate?: DoorCertificate;
	readonly settings?: Parameters<typeof TurnScene.open>[0]['settings'];
}

export interface Paired extends PairedDevice {
	readonly cookie: string;
}

export class WebScene {
	readonly turns: TurnScene;
	readonly devices: WebDevices;
	readonly clients: Clients;
	/** Time by which devices are judged, beyond that of the clock. */
	laterMs = 0;
	readonly #door: WebDoor;
	readonly #pages = new Set<PageSocket>();

	private constructor(turns: TurnScene, devices: WebDevices, clients: Clients, door: WebDoor) {
		this.turns = turns;
		this.devices = devices;
		this.clients = clients;
		this.#door = door;
	}

	static async open({
		script = [],
		pages,
		origins = [],
		settings,
		...listening
	}: WebSceneOptions = {}): Promise<WebScene> {
		const clients = new Clients({
			get current() {
				return turns.host.ports.settings.current;
			},
		});
		const turns: TurnScene = await TurnScene.open({
			script,
			person: clients.person,
			...(settings && { settings }),
		});
		// Keeps questions open while no browser is there, as the command does.
		clients.admit({ principal: 'web' });
		const devices = new WebDevices(turns.host.home, () => Date.now() + scene.laterMs);
		const { base, server, host } = turns;
		const of = { path: host.workspace, modelId: 'test/scripted', mode: 'agent' as const };
		const folder: FolderOfPages = { ...of, base, server, clients, widest: undefined, left: new Map() };
		const door = await openWebDoor({
			devices,
			port: 0,
			...listening,
			origins,
			file: (name) => Promise.resolve(pages?.get(`/${name}`)).then((bytes) => bytes && Buffer.from(bytes)),
			strings: readPageStrings,
			folders: () => [{ id: 'one', name: 'sample' }],
			open: () => Promise.resolve(folder),
			recordAct: (act, work) => base.recordAct(act, work),
			log: () => {},
		});
		const scene: WebScene = new WebScene(turns, devices, clients, door);
		return scene;
	}

	get origin(): string {
		return `http://127.0.0.1:${this.#door.port}`;
	}

	/** Origins of the names in the certificate; without one, that of loopback. */
	get origins(): readonly string[] {
		return this.#door.origins;
	}

	get port(): number {
		return this.#door.port;
	}

	async code(rights: readonly ClientRight[] = ['look', 'answer', 'prompt']): Promise<string> {
		return await this.devices.createCode(rights, never);
	}

	/** Pairs as the page does, from its own origin. */
	async tries(code: string, name: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
		return await fetch(`${this.origin}/pair`, {
			method: 'POST',
			headers: { origin: this.origin, 'content-type': 'application/json', ...headers },
			body: JSON.stringify({ code, name }),
		});
	}

	async pairs(name: string, rights?: readonly ClientRight[]): Promise<Paired> {
		const answer = await this.tries(await this.code(rights), name);
		const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
		return { ...((await answer.json()) as PairedDevice), cookie };
	}

	/** Socket of a page that is welcome. */
	async page({ cookie, key }: Pick<Paired, 'cookie' | 'key'>): Promise<PageSocket> {
		const page = new PageSocket(this.port, { cookie, origin: this.origin });
		this.#pages.add(page);
		await page.greets(key);
		return page;
	}

	async rows(op: string): Promise<LedgerRow[]> {
		return await this.turns.base.ledger.query({ op, limit: 100 });
	}

	get workspaceFile() {
		return (path: string) => join(this.turns.host.workspace, path);
	}

	async close(): Promise<void> {
		for (const page of this.#pages) page.leaves();
		this.#door.close();
		await this.turns.close();
	}
}

/** Page of a browser without the browser: what goes over its socket. */
export class PageSocket {
	readonly peer: Peer;
	readonly socket: WebSocket;
	readonly told: string[] = [];
	/** Code of the end; undefined while it is open. */
	closed: number | undefined;
	#isWelcome = false;

	constructor(port: number, headers: Readonly<Record<string, string>>) {
		this.socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, { headers, perMessageDeflate: false });
		this.socket.on('error', () => {});
		this.socket.once('close', (code) => (this.closed = code));
		this.socket.on('message', (data: Buffer) => this.told.push(data.toString('utf8')));
		const wire = postMessageWire({
			post: (frame) => this.socket.send(JSON.stringify(frame)),
			listen: (receive) => {
				this.socket.on('message', (data: Buffer) => {
					if (this.#isWelcome) receive(JSON.parse(data.toString('utf8')));
					this.#isWelcome = true;
				});
				return toDisposable(() => {});
			},
		});
		this.peer = new Peer(wire);
	}

	/** Resolves when it is welcome, rejects when it is refused. */
	async greets(key: string): Promise<void> {
		this.socket.once('open', () => this.socket.send(JSON.stringify({ key })));
		await waitFor('the welcome of a page', () => this.told.length > 0 || this.closed !== undefined);
		if (this.told.length === 0) throw new Error(`the page was refused: ${this.closed}`);
	}

	call: Peer['call'] = (def, params, signal) => this.peer.call(def, params, signal);

	async ended(): Promise<number> {
		await waitFor('the end of a page', () => this.closed !== undefined);
		return this.closed ?? 0;
	}

	leaves(): void {
		this.socket.terminate();
	}
}
