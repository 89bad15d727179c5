/**
 * The chat for browsers: a page, a pairing and the sockets of pages, on loopback alone unless there is a certificate. A browser is let in by two secrets that
 * it got when it was paired, and each message in either direction checks that it still is.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { type WebWelcome, WebGreeting } from '../../../protocol/doors/web.ts';
import { WEB_CLOSING } from '../../../protocol/doors/web-closing.ts';
import { textForUser } from '../../../protocol/errors/error-text.ts';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import { pageHtml, pagePolicy } from '../../../protocol/pages/page-html.ts';
import type * as z from '../../../protocol/text/zod.ts';
import type { UserAct } from '../../../trust/record/ledger/user-act.ts';
import { pageLimits, webLimits } from '../limits.ts';
import {
	type DoorCertificate,
	type ListeningDoor,
	openListeningDoor,
	type Refusal,
	refuseRequest,
} from '../listening.ts';
import { BrowserConnection, type FolderOfPages, readFrame, translateFrom } from './browser-connection.ts';
import { readEncryption } from './certificate.ts';
import { MinuteCount } from './minute-count.ts';
import { describePairing } from './pairing-code.ts';
import { NOT_PAIRED, PairingRequests, sendJson } from './pairing-requests.ts';
import { findServed, noteServed } from './served-addresses.ts';
import { revokeBrowser, type WebDevice, WebDevices } from './web-devices.ts';

export { describePairing, findServed, noteServed, readEncryption, revokeBrowser, WebDevices };

type Strings = Readonly<Record<string, string>>;

interface WebDoorParts {
	readonly devices: WebDevices;
	/** 0: any that is free. */
	readonly port: number;
	/** Absent: 127.0.0.1. */
	readonly address?: string | undefined;
	readonly certificate?: DoorCertificate | undefined;
	/** Origins of the user's own tunnels that lead here. */
	readonly origins: readonly string[];
	/** A file of our own pages by its name; undefined: there is none. */
	file(name: string): Promise<Buffer | undefined>;
	/** Translations of the texts of our pages, for the languages that a browser prefers. */
	strings(acceptLanguage: string): { readonly language: string; readonly strings: Strings };
	/** Folders that can be shown, by an id that holds nothing of their path. Throws ACCESS_DENIED where browsers may not look. */
	folders(): readonly { readonly id: string; readonly name: string }[];
	/** Rejects where the folder cannot be opened. */
	open(id: string): Promise<FolderOfPages>;
	/** Resolves once the act of a device is recorded and done. */
	recordAct<T>(act: UserAct, work: () => Promise<T>): Promise<T>;
	log(message: string): void;
}

export interface WebDoor {
	readonly port: number;
	/** Addresses of its own that a browser can open. */
	readonly origins: readonly string[];
	/** Ends all pages. */
	close(): void;
}

interface OpenPage {
	readonly deviceId: string;
	/** True once the page has sent the other half of the proof. */
	isProven: boolean;
	isAlive: boolean;
}

const SOCKET_PATH = '/socket';
const PAGE_FILES: Readonly<Record<string, string>> = {
	'webview.js': 'text/javascript; charset=utf-8',
	'webview-web.js': 'text/javascript; charset=utf-8',
	'webview-math.js': 'text/javascript; charset=utf-8',
	'webview.css': 'text/css; charset=utf-8',
	'webview-web.css': 'text/css; charset=utf-8',
	'codicon.css': 'text/css; charset=utf-8',
	'codicon.ttf': 'font/ttf',
};

/** Rejects with INVALID_STATE where the port is taken. */
export async function openWebDoor(parts: WebDoorParts): Promise<WebDoor> {
	const door = new BrowserDoor(parts);
	await door.open();
	return door;
}

class BrowserDoor implements WebDoor {
	readonly #parts: WebDoorParts;
	readonly #sockets = new WebSocketServer({
		noServer: true,
		maxPayload: pageLimits.pictureFrameBytes,
		perMessageDeflate: false,
	});
	readonly #pages = new Map<WebSocket, OpenPage>();
	readonly #requests = new MinuteCount(webLimits.requestsPerMinute);
	readonly #pairing: PairingRequests;
	readonly #never = new AbortController();
	#listening: ListeningDoor | undefined;
	#pings: ReturnType<typeof setInterval> | undefined;
	#looks: ReturnType<typeof setInterval> | undefined;

	constructor(parts: WebDoorParts) {
		this.#parts = parts;
		this.#pairing = new PairingRequests({
			devices: parts.devices,
			recordAct: (act, work) => parts.recordAct(act, work),
			findRefusal: (request) => this.#listening?.findRefusal(request, true),
			signal: this.#never.signal,
		});
	}

	get port(): number {
		return this.#listening?.port ?? 0;
	}

	get origins(): readonly string[] {
		return this.#listening?.origins ?? [];
	}

	async open(): Promise<void> {
		const { port, address, certificate, origins, log } = this.#parts;
		const { connections, connectionsOfMachine, requestMs } = webLimits;
		const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => this.#upgrade(request, socket, head);
		const wish = { port, address, certificate, connections, connectionsOfMachine, requestMs, origins, upgrade };
		const listening = await openListeningDoor(wish, (request, response) => {
			this.#answer(request, response).catch((error: unknown) => {
				log(`a request of a browser failed: ${String(error)}`);
				response.destroy();
			});
		});
		this.#listening = listening;
		// Ends a connection on which nothing moves, also where nobody takes what it is sent. Pages are pinged instead.
		listening.server.setTimeout(webLimits.stillMs);
		this.#pings = setInterval(() => this.#ping(), webLimits.pingMs);
		this.#looks = setInterval(() => this.#lookAtPages(), webLimits.lookMs);
	}

	close(): void {
		clearInterval(this.#pings);
		clearInterval(this.#looks);
		this.#never.abort();
		for (const socket of this.#pages.keys()) socket.terminate();
		this.#sockets.close();
		this.#listening?.close();
	}

	async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		// Strangers must not use up what pages of paired browsers ask for.
		if (this.#pairing.findDevice(request) === undefined && !this.#requests.take()) {
			refuseRequest(response, { status: 429, why: 'Too many requests. Try again in a minute.' });
			return;
		}
		for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
		const path = (request.url ?? '/').split('?')[0] ?? '/';
		const language = request.headers['accept-language'] ?? '';
		if (request.method === 'POST' && path === '/pair') {
			await this.#pairing.pair(request, response, this.#parts.strings(language).strings);
		} else if (request.method === 'POST' && path === '/forget') {
			await this.#pairing.forget(request, response);
			this.#lookAtPages();
		} else if (request.method !== 'GET' && request.method !== 'HEAD') {
			refuseRequest(response, { status: 405, why: 'Only reading is possible here.' });
		} else if (path === '/') {
			this.#sendPage(response, language);
		} else if (path === '/strings.json') {
			sendJson(response, 200, this.#parts.strings(language).strings);
		} else if (path === '/favicon.ico') {
			response.writeHead(204).end();
		} else if (path === '/paired') {
			response.writeHead(this.#pairing.findDevice(request) === undefined ? 401 : 204).end();
		} else {
			await this.#sendFile(request, response, path.slice(1));
		}
	}

	/** The page itself holds nothing of the user's: it is the same for everybody. */
	#sendPage(response: ServerResponse, acceptLanguage: string): void {
		const nonce = createHash('sha256').update(crypto.randomUUID()).digest('hex');
		const page = { face: 'chat', cspSource: "'self'", nonce, isConnected: true } as const;
		response.setHeader('content-security-policy', `${pagePolicy(page)}; frame-ancestors 'none'`);
		response.setHeader('content-type', 'text/html; charset=utf-8');
		const { language } = this.#parts.strings(acceptLanguage);
		const styleUris = ['/codicon.css', '/webview.css', '/webview-web.css'];
		response.end(pageHtml({ ...page, scriptUri: '/webview-web.js', styleUris, language, title: 'Prowess' }));
	}

	async #sendFile(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
		const type = Object.hasOwn(PAGE_FILES, name) ? PAGE_FILES[name] : undefined;
		const bytes = type === undefined ? undefined : await this.#parts.file(name);
		if (type === undefined || bytes === undefined) {
			refuseRequest(response, { status: 404, why: 'There is no such page.' });
			return;
		}
		const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
		response.setHeader('etag', tag).setHeader('cache-control', 'no-cache').setHeader('content-type', type);
		if (request.headers['if-none-match'] === tag) response.writeHead(304).end();
		else response.end(bytes);
	}

	#upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
		const device = this.#pairing.findDevice(request);
		const refused = this.#listening?.findRefusal(request, true) ?? this.#refusalOfSocket(request, device);
		if (refused !== undefined || device === undefined) {
			const { status, why } = refused ?? NOT_PAIRED;
			socket.on('error', () => {});
			// Ends the other half, too, which would keep its place.
			socket.once('finish', () => socket.destroy());
			socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-type: text/plain\r\n\r\n${why}`);
			return;
		}
		this.#sockets.handleUpgrade(request, socket, head, (page) => {
			const { strings } = this.#parts.strings(request.headers['accept-language'] ?? '');
			this.#greet(page, device, strings);
		});
	}

	#refusalOfSocket({ url = '' }: IncomingMessage, device: WebDevice | undefined): Refusal | undefined {
		if (url !== SOCKET_PATH) return { status: 404, why: 'There is no such socket.' };
		if (device === undefined) return NOT_PAIRED;
		const all = [...this.#pages.values()];
		const own = all.filter(({ deviceId }) => deviceId === device.id);
		return all.length >= webLimits.pages || own.length >= webLimits.pagesOfDevice
			? { status: 429, why: 'Too many pages are open. Close one of them.' }
			: undefined;
	}

	/** Waits for the other half of the proof. */
	#greet(page: WebSocket, device: WebDevice, strings: Strings): void {
		const state: OpenPage = { deviceId: device.id, isProven: false, isAlive: true };
		this.#pages.set(page, state);
		page.on('pong', () => (state.isAlive = true));
		page.on('error', (error) => this.#parts.log(`the socket of a browser failed: ${error.message}`));
		// On a slow connection it may come yet: a page that is told that it is unpaired forgets its key.
		const late = setTimeout(() => page.close(WEB_CLOSING.comeBack), webLimits.greetingMs);
		page.once('close', () => {
			clearTimeout(late);
			this.#pages.delete(page);
		});
		page.once('message', (data: RawData) => {
			clearTimeout(late);
			const isShort = Buffer.isBuffer(data) && data.length <= webLimits.greetingBytes;
			const greeting = WebGreeting.safeParse(isShort ? readFrame(data) : undefined);
			if (!greeting.success || !this.#parts.devices.hasKey(device.id, greeting.data.key)) {
				page.close(WEB_CLOSING.unpaired);
				return;
			}
			state.isProven = true;
			this.#welcome(page, device, strings, greeting.data).catch((error: unknown) => {
				this.#parts.log(`a folder could not be opened for a browser: ${String(error)}`);
				const isDenied = isProwessError(error) && error.code === 'ACCESS_DENIED';
				page.close(isDenied ? WEB_CLOSING.denied : WEB_CLOSING.comeBack, shortenReason(error, strings));
			});
		});
	}

	async #welcome(
		page: WebSocket,
		device: WebDevice,
		strings: Strings,
		greeting: z.infer<typeof WebGreeting>,
	): Promise<void> {
		const { devices, log } = this.#parts;
		const folders = this.#parts.folders();
		const [only, ...others] = folders;
		const chosen = folders.find(({ id }) => id === greeting.folder) ?? (others.length === 0 ? only : undefined);
		const welcome: WebWelcome = { folder: chosen?.name ?? null, folders: [...folders] };
		if (chosen === undefined) {
			page.send(JSON.stringify(welcome));
			return;
		}
		await devices.note(device.id, this.#never.signal);
		const folder = await this.#parts.open(chosen.id);
		if (page.readyState !== page.OPEN) return;
		const connection = new BrowserConnection({
			page,
			welcome,
			deviceId: device.id,
			devices,
			folder,
			strings,
			log,
			threadId: greeting.threadId ?? null,
		});
		page.once('close', () => connection.dispose());
	}

	/** Ends pages of revoked devices, which would else show what they have until their next message; the others are here. */
	#lookAtPages(): void {
		const { devices, log } = this.#parts;
		for (const [page, { deviceId }] of this.#pages) {
			if (devices.find(deviceId) === undefined) page.close(WEB_CLOSING.unpaired);
		}
		const here = [...this.#pages.values()].flatMap(({ deviceId, isProven }) => (isProven ? [deviceId] : []));
		for (const id of new Set(here)) {
			devices
				.note(id, this.#never.signal)
				.catch((error: unknown) => log(`a device is here, and that is not noted: ${String(error)}`));
		}
	}

	#ping(): void {
		for (const [page, state] of this.#pages) {
			if (state.isAlive) {
				state.isAlive = false;
				page.ping();
			} else {
				page.terminate();
			}
		}
	}
}

const HEADERS = {
	'x-content-type-options': 'nosniff',
	'x-frame-options': 'DENY',
	'referrer-policy': 'no-referrer',
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
	'cache-control': 'no-store',
} as const;

/** Words for the user, as short as a frame that closes wants them. */
function shortenReason(error: unknown, strings: Strings): string {
	if (!isProwessError(error)) return '';
	const words = textForUser(error, (template) => translateFrom(strings, template));
	return Buffer.from(words).subarray(0, webLimits.reasonBytes).toString('utf8');
}
