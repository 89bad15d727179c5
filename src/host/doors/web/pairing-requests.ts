/** Requests of a browser about its own pairing, over HTTP: to be paired by a code, and to be forgotten. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJsonOrUndefined } from '../../../base/text/lenient.ts';
import { ForgetRequest, type PairedDevice, PairingRequest } from '../../../protocol/doors/web.ts';
import { textForUser } from '../../../protocol/errors/error-text.ts';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import { text, translateText } from '../../../protocol/text/text.ts';
import type { UserAct } from '../../../trust/record/ledger/user-act.ts';
import { webLimits } from '../limits.ts';
import { readBody, type Refusal, refuseRequest } from '../listening.ts';
import { translateFrom } from './browser-connection.ts';
import { MinuteCount } from './minute-count.ts';
import type { WebDevice, WebDevices } from './web-devices.ts';

interface PairingParts {
	readonly devices: WebDevices;
	/** Resolves once the act of a device is recorded and done. */
	recordAct<T>(act: UserAct, work: () => Promise<T>): Promise<T>;
	/** Undefined: the request is from a page of ours. */
	findRefusal(request: IncomingMessage): Refusal | undefined;
	readonly signal: AbortSignal;
}

export const NOT_PAIRED: Refusal = { status: 401, why: 'This browser is not paired.' };

const COOKIE = 'prowess_device';
const NAME_HINT = text('Name the device with 1 to 40 letters, digits, spaces, dots and hyphens.');

export class PairingRequests {
	readonly #parts: PairingParts;
	readonly #pairings = new MinuteCount(webLimits.pairingsPerMinute);

	constructor(parts: PairingParts) {
		this.#parts = parts;
	}

	/** Another port of this host may have set a cookie of the same name: each is looked at. */
	findDevice({ headers: { cookie = '' } }: IncomingMessage): WebDevice | undefined {
		const pairs = cookie.split(';').map((each) => each.trim().split('='));
		const own = pairs.flatMap(([name, value = '']) => (name === COOKIE ? [value] : []));
		return own.map((value) => this.#parts.devices.ofCookie(value)).find((each) => each !== undefined);
	}

	/** `strings`: translations for the browser. */
	async pair(
		request: IncomingMessage,
		response: ServerResponse,
		strings: Readonly<Record<string, string>>,
	): Promise<void> {
		const refused = this.#parts.findRefusal(request) ?? refuseUnlessJson(request) ?? this.#refuseTooMany();
		if (refused !== undefined) {
			refuseRequest(response, refused);
			return;
		}
		const asked = PairingRequest.safeParse(await readJson(request));
		const inWords = (template: string) => translateFrom(strings, template);
		if (!asked.success) {
			sendJson(response, 400, { message: translateText(NAME_HINT, inWords) });
			return;
		}
		const { code, name } = asked.data;
		const { devices, recordAct, signal } = this.#parts;
		try {
			const act = { op: 'web.pair', input: `Pair the browser ${name}`, params: { device: name } } as const;
			const { device, cookie, key } = await recordAct(act, () => devices.pair(code, name, signal));
			setCookie(request, response, cookie, Math.floor(webLimits.pairedMs / 1_000));
			sendJson(response, 200, { key, name: device.name, rights: [...device.rights] } satisfies PairedDevice);
		} catch (error) {
			if (!isProwessError(error)) throw error;
			sendJson(response, 403, {
				message: textForUser({ code: error.code, message: error.message, facts: error.facts }, inWords),
			});
		}
	}

	/** Revokes the device that asks, with both of its secrets: whoever has one of them cannot sign it out. */
	async forget(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { devices, findRefusal, recordAct, signal } = this.#parts;
		const refused = findRefusal(request) ?? refuseUnlessJson(request);
		if (refused !== undefined) {
			refuseRequest(response, refused);
			return;
		}
		const asked = ForgetRequest.safeParse(await readJson(request));
		const device = this.findDevice(request);
		if (device === undefined || !asked.success || !devices.hasKey(device.id, asked.data.key)) {
			refuseRequest(response, NOT_PAIRED);
			return;
		}
		const { id, name } = device;
		const act = { op: 'web.forget', input: `${name}: forget this browser`, params: { device: name } } as const;
		await recordAct(act, () => devices.revoke(id, signal));
		setCookie(request, response, '', 0);
		response.writeHead(204).end();
	}

	#refuseTooMany(): Refusal | undefined {
		return this.#pairings.take() ? undefined : { status: 429, why: 'Too many codes. Try again in a minute.' };
	}
}

/** A form of another site cannot send JSON, and a page of another origin is refused before this. */
function refuseUnlessJson({ headers }: IncomingMessage): Refusal | undefined {
	if (headers['content-type'] === 'application/json') return undefined;
	return { status: 415, why: 'A pairing is sent as JSON, by our own page.' };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
	return parseJsonOrUndefined((await readBody(request, webLimits.pairingBytes)).toString('utf8'));
}

/** `seconds`: from now on; 0 takes it away. */
function setCookie(request: IncomingMessage, response: ServerResponse, value: string, seconds: number): void {
	const isSecure = request.headers.origin?.startsWith('https:') === true;
	const attributes = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`;
	response.setHeader('set-cookie', `${COOKIE}=${value}; ${attributes}`);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value));
}
