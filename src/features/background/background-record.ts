/**
 * Address and secret of the background host of a home: a folder there, which only the user can open, and the file in
 * it. Any program that can read the file may attach, because both ends prove that they know the secret in it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from '../../protocol/text/zod.ts';
import { readIfThere } from '../../machine/home-files/durable-file.ts';

const BackgroundRecord = z.object({
	pid: z.int(),
	version: z.string(),
	startedAt: z.number(),
	/** Path of the socket, or name of the pipe on Windows. */
	address: z.string(),
	secret: z.string(),
});
export type BackgroundRecord = z.infer<typeof BackgroundRecord>;

export function backgroundPlace(home: string) {
	const folder = join(home, 'background');
	return { folder, lock: join(folder, 'lock'), record: join(folder, 'host.json'), socket: join(folder, 'socket') };
}

/**
 * Reads the record of the host that runs, or of one that was killed. Undefined when the file is missing or its content
 * is no record.
 */
export async function backgroundRecord(home: string): Promise<BackgroundRecord | undefined> {
	const text = await readIfThere(backgroundPlace(home).record);
	try {
		return text === undefined ? undefined : BackgroundRecord.parse(JSON.parse(text));
	} catch {
		return undefined;
	}
}

/** The two ends prove different things, so neither proof can be had from the other end. */
export function createProof(secret: string, who: 'host' | 'caller', nonce: string): string {
	return createHmac('sha256', secret).update(`${who}:${nonce}`).digest('base64url');
}

export function isSameProof(proof: string, expected: string): boolean {
	const [one, other] = [Buffer.from(proof), Buffer.from(expected)];
	return one.length === other.length && timingSafeEqual(one, other);
}

/** True when only this user can have put a socket there. Windows has no such folders; there the proof alone counts. */
export function isOnlyOurs(address: string): boolean {
	if (process.platform === 'win32') {
		return true;
	}
	const folder = lstatSync(dirname(address), { throwIfNoEntry: false });
	return folder?.isDirectory() === true && folder.uid === process.getuid?.() && (folder.mode & 0o077) === 0;
}
