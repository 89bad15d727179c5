/**
 * Copies of capabilities, so that the approved content is what runs: the files of a capability, once read, run from a
 * copy that nobody is meant to change. A copy whose content does not match its name is made anew.
 */
import { chmod, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { v7 } from 'uuid';
import { removeOld } from '../../machine/home-files/remove-entries.ts';
import { findErrno } from '../../machine/paths/file-error.ts';
import {
	type CapabilityFile,
	type CapabilityFiles,
	hashCapabilityFiles,
	readTree,
} from '../../catalog/capability-files.ts';
import { SDK_TOPICS } from '../../protocol/execution/execution.ts';
import { SNAPSHOT_DRAFT_MS, SNAPSHOT_KEPT_MS } from './limits.ts';

/** The package `@prowess/sdk` as it lies beside each capability: what the executor has made ready, by name. */
const sdkNames = [...['host', 'op', 'batch', 'progress', 'signal', 'log'], ...SDK_TOPICS] as const;

const sdkPackage: readonly { readonly path: string; readonly text: string }[] = [
	{
		path: 'node_modules/@prowess/sdk/package.json',
		text: '{ "name": "@prowess/sdk", "type": "module", "exports": "./index.js" }\n',
	},
	{
		path: 'node_modules/@prowess/sdk/index.js',
		text: `export const { ${sdkNames.join(', ')} } = globalThis[Symbol.for('prowess.sdk')];\n`,
	},
];

const SNAPSHOT_NAME = /^[0-9a-f]{64}$/;

/** Where the copy of a capability lies, with what is beside it. */
interface Snapshot {
	readonly root: string;
	readonly capability: string;
}

export async function makeSnapshot(home: string, { hash, files }: CapabilityFiles): Promise<Snapshot> {
	const root = join(home, 'snapshots', hash);
	const snapshot: Snapshot = { root, capability: join(root, 'capability') };
	const all: readonly CapabilityFile[] = [...files.map(inCapability), ...besideCapability];
	if (await hasSameFiles(root, all)) {
		// Says when it was last used, see `removeOldSnapshots`.
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
			if (await hasSameFiles(root, all)) {
				return snapshot;
			}
			if (findErrno(error) !== 'ENOTEMPTY' && findErrno(error) !== 'EEXIST' && findErrno(error) !== 'EPERM') {
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

/**
 * Removes copies that nothing has run from for long, and drafts that a killed host left. Never rejects: the next host looks
 * again at what could not be removed.
 */
export async function removeOldSnapshots(home: string, now?: number): Promise<void> {
	await removeOld(
		join(home, 'snapshots'),
		(name) => (SNAPSHOT_NAME.test(name) ? SNAPSHOT_KEPT_MS : SNAPSHOT_DRAFT_MS),
		now,
	);
}

/** Writes the files that lie beside every capability, before it is known which capability will run. */
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

const besideCapability: readonly CapabilityFile[] = [
	// Without it, a package.json further up would say what kind of module `index.js` is.
	{ path: 'package.json', bytes: Buffer.from('{}\n') },
	...sdkPackage.map(({ path, text }) => ({ path, bytes: Buffer.from(text) })),
];

function inCapability({ path, bytes }: CapabilityFile): CapabilityFile {
	return { path: `capability/${path}`, bytes };
}

/** Exactly these files, with exactly these bytes. */
async function hasSameFiles(folder: string, files: readonly CapabilityFile[]): Promise<boolean> {
	try {
		return hashCapabilityFiles(await readTree(folder, 0, files.length)) === hashCapabilityFiles(files);
	} catch {
		return false;
	}
}

async function writeReadOnly(path: string, bytes: Buffer): Promise<void> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	await writeFile(path, bytes, { mode: 0o400, flag: 'wx' });
	await chmod(path, 0o400);
}
