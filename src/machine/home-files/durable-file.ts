/** Files of our own state: replaced whole, and on the disk when that is said. */
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { v7 } from 'uuid';
import { unlessMissing } from '../paths/file-error.ts';

/**
 * File modes: files in the home are for its user alone; files that a project keeps are for everybody who works on it.
 */
export const PRIVATE_FILE = 0o600;
export const SHARED_FILE = 0o644;

export async function replaceDurably(
	path: string,
	content: string | Buffer,
	mode: number = PRIVATE_FILE,
): Promise<void> {
	await mkdir(dirname(path), { recursive: true, ...(mode === PRIVATE_FILE ? { mode: 0o700 } : {}) });
	const draft = `${path}.${v7()}.tmp`;
	try {
		await writeDurably(draft, Buffer.from(content), mode);
		await rename(draft, path);
	} catch (error) {
		await rm(draft, { force: true });
		throw error;
	}
	await syncFolder(dirname(path));
}

/** A new file; rejects with EEXIST when there is one. */
export async function writeDurably(path: string, bytes: Buffer, mode: number = PRIVATE_FILE): Promise<void> {
	const file = await open(path, 'wx', mode);
	try {
		await file.writeFile(bytes);
		await file.sync();
	} finally {
		await file.close();
	}
}

/** Makes renames in it durable, where the system can. */
export async function syncFolder(path: string): Promise<void> {
	if (process.platform === 'win32') {
		return;
	}
	const folder = await open(path, 'r');
	try {
		await folder.sync();
	} finally {
		await folder.close();
	}
}

/** Undefined when it is not there. */
export async function readIfThere(path: string): Promise<string | undefined> {
	return await unlessMissing(readFile(path, 'utf8'));
}
