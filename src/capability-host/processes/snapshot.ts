/**
 * What was approved is what runs: the files of a capability are read once, named by a hash over all of them, and run from a
 * copy that nobody is meant to change. A copy that is not what its name says is made anew.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { v7 } from 'uuid';
import { ProwessError } from '../../protocol/errors.ts';
import { errnoOf } from '../machine/paths/file-error.ts';
import { MAX_FILE_DEPTH, MAX_FILES, MAX_TOTAL_BYTES } from './limits.ts';
import { sdkPackage } from './sdk-package.ts';

interface File {
	/** Relative, with slashes. */
	readonly path: string;
	readonly bytes: Buffer;
}

/** The files of a capability, as they are now. */
export interface CapabilityFiles {
	readonly hash: string;
	readonly files: readonly File[];
}

/** Where the copy of a capability lies, with what is beside it. */
export interface Snapshot {
	readonly root: string;
	readonly capability: string;
}

/** Rejects with INVALID_CAPABILITY_CONFIG for what cannot be copied as it is: links, too much, other things than files. */
export async function readCapabilityFiles(folder: string): Promise<CapabilityFiles> {
	const files = await readTree(folder, 1, MAX_FILES);
	return { hash: hashOf(files), files };
}

export async function makeSnapshot(home: string, { hash, files }: CapabilityFiles): Promise<Snapshot> {
	const root = join(home, 'snapshots', hash);
	const snapshot: Snapshot = { root, capability: join(root, 'capability') };
	const all: readonly File[] = [...files.map(inCapability), ...besideCapability];
	if (await holds(root, all)) {
		// Says when it was last used, see `old-snapshots.ts`.
		const now = new Date();
		await utimes(root, now, now).catch(() => undefined);
		return snapshot;
	}
	const draft = `${root}.${v7()}`;
	const spoilt = `${root}.${v7()}`;
	try {
		for (const { path, bytes } of all) {
			await writeReadOnly(join(draft, path), bytes);
		}
		try {
			await rename(draft, root);
		} catch (error) {
			// Made at the same time by another execution, which may be running from it; or spoilt, and then nobody should.
			if (await holds(root, all)) {
				return snapshot;
			}
			if (errnoOf(error) !== 'ENOTEMPTY' && errnoOf(error) !== 'EEXIST' && errnoOf(error) !== 'EPERM') {
				throw error;
			}
			await rename(root, spoilt);
			await rename(draft, root);
		}
		return snapshot;
	} finally {
		await rm(draft, { recursive: true, force: true });
		await rm(spoilt, { recursive: true, force: true });
	}
}

/** What lies beside each capability, laid out before it is known which. */
export async function writeBeside(root: string): Promise<void> {
	for (const { path, bytes } of besideCapability) {
		await writeReadOnly(join(root, path), bytes);
	}
}

/** The capability itself, for one execution alone. Resolves with its folder. */
export async function writeCapability(root: string, { files }: CapabilityFiles): Promise<string> {
	for (const { path, bytes } of files.map(inCapability)) {
		await writeReadOnly(join(root, path), bytes);
	}
	return join(root, 'capability');
}

const besideCapability: readonly File[] = [
	// Without it, a package.json further up would say what kind of module `index.js` is.
	{ path: 'package.json', bytes: Buffer.from('{}\n') },
	...sdkPackage.map(({ path, text }) => ({ path, bytes: Buffer.from(text) })),
];

function inCapability({ path, bytes }: File): File {
	return { path: `capability/${path}`, bytes };
}

/** Exactly these files, with exactly these bytes. */
async function holds(folder: string, files: readonly File[]): Promise<boolean> {
	try {
		return hashOf(await readTree(folder, 0, files.length)) === hashOf(files);
	} catch {
		return false;
	}
}

/** `depth` is that of its own files; more than `most` are refused. */
async function readTree(folder: string, depth: number, most: number): Promise<File[]> {
	const files: File[] = [];
	await readInto(folder, '', depth, files, { bytes: 0, most });
	return files;
}

function hashOf(files: readonly File[]): string {
	const hash = createHash('sha256');
	for (const { path, bytes } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
		const content = createHash('sha256').update(bytes).digest('hex');
		hash.update(`${JSON.stringify(path)} ${content}\n`);
	}
	return hash.digest('hex');
}

async function writeReadOnly(path: string, bytes: Buffer): Promise<void> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	await writeFile(path, bytes, { mode: 0o400, flag: 'wx' });
	await chmod(path, 0o400);
}

async function readInto(
	root: string,
	below: string,
	depth: number,
	files: File[],
	size: { bytes: number; readonly most: number },
): Promise<void> {
	const refuse = (path: string, problem: string) =>
		new ProwessError('INVALID_CAPABILITY_CONFIG', `${join(root, path)}: ${problem}`, { path: join(root, path) });
	for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
		const path = below === '' ? entry.name : `${below}/${entry.name}`;
		if (entry.isDirectory()) {
			if (depth >= MAX_FILE_DEPTH) throw refuse(path, `folders deeper than ${MAX_FILE_DEPTH}`);
			await readInto(root, path, depth + 1, files, size);
		} else if (!entry.isFile()) {
			throw refuse(path, 'it is neither a file nor a folder; a capability may hold no links');
		} else {
			if (files.length >= size.most) throw refuse(below, `more than ${size.most} files`);
			const { size: bytes } = await lstat(join(root, path));
			size.bytes += bytes;
			if (size.bytes > MAX_TOTAL_BYTES) throw refuse(below, `more than ${MAX_TOTAL_BYTES} bytes`);
			files.push({ path, bytes: await readPlainFile(join(root, path)) });
		}
	}
}

/** Not through a link that has taken its place, and not one that never ends. */
async function readPlainFile(path: string): Promise<Buffer> {
	const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
	try {
		const stat = await file.stat();
		if (!stat.isFile() || stat.size > MAX_TOTAL_BYTES) {
			throw new ProwessError('INVALID_CAPABILITY_CONFIG', `${path}: it changed while it was read`, { path });
		}
		return await file.readFile();
	} finally {
		await file.close();
	}
}
