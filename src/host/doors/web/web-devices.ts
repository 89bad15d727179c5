/**
 * Browsers that the user has paired: `web/devices.json` in the home. A device proves itself with two secrets that are kept as
 * hashes: a cookie that no script reads, and a key that only pages of its origin read. The file is looked at anew before each
 * message, so a device that is revoked by any process has no further one.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSameProof } from '../../../features/background/background-record.ts';
import { SharedJson } from '../../../machine/home-files/shared-json.ts';
import { ClientRight } from '../../../protocol/approvals/access.ts';
import { DeviceName } from '../../../protocol/doors/web.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import * as z from '../../../protocol/text/zod.ts';
import type { UserAct } from '../../../trust/record/ledger/user-act.ts';
import { webLimits } from '../limits.ts';

const DeviceRights = z.array(ClientRight).min(1).max(ClientRight.options.length);

const KeptDevice = z.object({
	id: z.string(),
	name: DeviceName,
	rights: DeviceRights,
	cookieHash: z.string(),
	keyHash: z.string(),
	/** Milliseconds since 1970, like the other times. */
	pairedAt: z.number(),
	seenAt: z.number(),
});
type KeptDevice = z.infer<typeof KeptDevice>;

const DeviceFile = z.object({
	version: z.literal(1),
	codes: z.array(z.object({ hash: z.string(), rights: DeviceRights, expiresAt: z.number() })).max(webLimits.codes),
	devices: z.array(KeptDevice).max(webLimits.devices),
});
type DeviceFile = z.infer<typeof DeviceFile>;

export type WebDevice = Pick<KeptDevice, 'id' | 'name' | 'rights' | 'pairedAt' | 'seenAt'>;

interface NewDevice {
	readonly device: WebDevice;
	readonly cookie: string;
	readonly key: string;
}

const EMPTY: DeviceFile = { version: 1, codes: [], devices: [] };
/** Without letters and digits that look alike. */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 8;

export class WebDevices {
	readonly #path: string;
	readonly #file: SharedJson<DeviceFile>;
	readonly #now: () => number;
	#wrongCodes = 0;
	#read: { readonly stamp: string; readonly file: DeviceFile } | undefined;

	constructor(home: string, now: () => number = Date.now) {
		this.#now = now;
		this.#path = join(home, 'web', 'devices.json');
		this.#file = new SharedJson({
			path: this.#path,
			schema: DeviceFile,
			empty: EMPTY,
			consequence: text('no browser is paired'),
			misfit: `no more than ${webLimits.devices} browsers are paired at a time; revoke one with "prowess web revoke"`,
		});
	}

	/** Returns a code with which one device is paired, within `webLimits.codeMs`. */
	async createCode(rights: readonly ClientRight[], signal: AbortSignal): Promise<string> {
		const code = Array.from(randomBytes(CODE_LENGTH), (byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join('');
		const now = this.#now();
		const added = { hash: hashSecret(code), rights: [...rights], expiresAt: now + webLimits.codeMs };
		await this.#file.change(
			(file) => ({
				...file,
				codes: [...file.codes.filter(({ expiresAt }) => expiresAt > now), added].slice(-webLimits.codes),
			}),
			signal,
		);
		return `${code.slice(0, 4)}-${code.slice(4)}`;
	}

	/**
	 * Pairs a device; the code counts no more. Rejects with ACCESS_DENIED for a code that does not count, and with INVALID_STATE
	 * for a name that is in use. After `webLimits.wrongCodes` wrong ones no code counts.
	 */
	async pair(code: string, name: string, signal: AbortSignal): Promise<NewDevice> {
		const given = hashSecret(trimCode(code));
		const cookie = randomBytes(32).toString('base64url');
		const key = randomBytes(32).toString('base64url');
		const id = randomBytes(8).toString('hex');
		let paired: KeptDevice | undefined;
		let isNameUsed = false;
		const now = this.#now();
		await this.#file.change((file) => {
			const devices = file.devices.filter((each) => this.#isInTime(each));
			const found = file.codes.find(({ hash, expiresAt }) => expiresAt > now && isSameProof(hash, given));
			if (found === undefined) {
				this.#wrongCodes = (this.#wrongCodes + 1) % webLimits.wrongCodes;
				return this.#wrongCodes === 0 ? { ...file, codes: [] } : file;
			}
			isNameUsed = devices.some((each) => isSameDeviceName(each.name, name));
			if (isNameUsed) return file;
			const hashes = { cookieHash: hashSecret(cookie), keyHash: hashSecret(key) };
			paired = { id, name, rights: found.rights, ...hashes, pairedAt: now, seenAt: now };
			return { ...file, codes: file.codes.filter((each) => each !== found), devices: [...devices, paired] };
		}, signal);
		if (isNameUsed) {
			throw new ProwessError('INVALID_STATE', `a device named "${name}" is paired`, {
				said: text('Another device has that name. Choose another one, or revoke it first.'),
			});
		}
		if (paired === undefined) {
			throw new ProwessError('ACCESS_DENIED', 'the pairing code does not count', {
				said: text('This code does not count, or not any more. Ask for another one with prowess web pair.'),
			});
		}
		this.#wrongCodes = 0;
		return { device: paired, cookie: `${id}.${cookie}`, key };
	}

	/** True while a device can be paired with the code. */
	isOpen(code: string): boolean {
		const hash = hashSecret(trimCode(code));
		return this.#current().codes.some((each) => each.expiresAt > this.#now() && isSameProof(each.hash, hash));
	}

	/** Device with this cookie; undefined: none, or it was revoked, or its time is over. */
	ofCookie(cookie: string): WebDevice | undefined {
		const [id = '', secret = ''] = cookie.split('.');
		const device = this.#find(id);
		return device !== undefined && isSameProof(device.cookieHash, hashSecret(secret)) ? device : undefined;
	}

	hasKey(id: string, key: string): boolean {
		const device = this.#find(id);
		return device !== undefined && isSameProof(device.keyHash, hashSecret(key));
	}

	/** The device as it is now. */
	find(id: string): WebDevice | undefined {
		return this.#find(id);
	}

	list(): readonly WebDevice[] {
		return this.#current().devices.filter((each) => this.#isInTime(each));
	}

	/** The device is here: its idle time begins anew. */
	async note(id: string, signal: AbortSignal): Promise<void> {
		const now = this.#now();
		const device = this.#find(id);
		if (device === undefined || now - device.seenAt < webLimits.seenMs) return;
		await this.#file.change(
			(file) => ({ ...file, devices: file.devices.map((each) => (each.id === id ? { ...each, seenAt: now } : each)) }),
			signal,
		);
	}

	/** From now on nothing goes to the device, and nothing comes from it. */
	async revoke(id: string, signal: AbortSignal): Promise<void> {
		await this.#file.change((file) => ({ ...file, devices: file.devices.filter((each) => each.id !== id) }), signal);
	}

	#find(id: string): KeptDevice | undefined {
		return this.#current().devices.find((each) => each.id === id && this.#isInTime(each));
	}

	#isInTime({ pairedAt, seenAt }: KeptDevice): boolean {
		const now = this.#now();
		return now < pairedAt + webLimits.pairedMs && now < seenAt + webLimits.idleMs;
	}

	/** Empty where the file cannot be read: nobody is let in by mistake. */
	#current(): DeviceFile {
		try {
			const { ino, size, mtimeNs, ctimeNs } = statSync(this.#path, { bigint: true });
			const stamp = [ino, size, mtimeNs, ctimeNs].join(' ');
			if (this.#read?.stamp !== stamp) this.#read = { stamp, file: readDeviceFile(this.#path) };
			return this.#read.file;
		} catch {
			return EMPTY;
		}
	}
}

/** Throws where the file is missing or none of ours. */
function readDeviceFile(path: string): DeviceFile {
	return DeviceFile.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** Returns the letters and digits alone: typed small, with spaces or without its hyphen it is the same code. */
function trimCode(code: string): string {
	return code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

/** Revokes a device for the user, who is in the ledger with it; its pages are closed at once. */
export async function revokeBrowser(
	devices: WebDevices,
	{ id, name }: Pick<WebDevice, 'id' | 'name'>,
	recordAct: <T>(act: UserAct, work: () => Promise<T>) => Promise<T>,
	signal: AbortSignal,
): Promise<void> {
	const act = { op: 'web.revoke', input: `Revoke the browser ${name}`, params: { device: name } } as const;
	await recordAct(act, () => devices.revoke(id, signal));
}

function hashSecret(secret: string): string {
	return createHash('sha256').update(secret).digest('base64url');
}

function isSameDeviceName(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}
