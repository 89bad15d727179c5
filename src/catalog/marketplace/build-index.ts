/** For authors: a capability as an archive, and a folder of them as an index. */
import { type KeyObject, sign } from 'node:crypto';
import { mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { IndexEntry, type IndexFile, RevokedVersion, signedStatement } from '../../protocol/capability/marketplace.ts';
import * as z from '../../protocol/text/zod.ts';
import { exportPublicKey, parseSigningKey } from '../../machine/secrets/signing-key.ts';
import { fileError } from '../../machine/paths/file-error.ts';
import { readRegularFile } from '../../machine/paths/reading/read-regular-file.ts';
import { readIfThere, replaceDurably, SHARED_FILE } from '../../machine/home-files/durable-file.ts';
import { readPackageFolder } from './indexes/folder-tree.ts';
import { INDEX_FILE } from './indexes/own-index.ts';
import { MAX_ARCHIVE_BYTES, MAX_KEY_BYTES } from './limits.ts';
import { type CheckedPackage, checkPackage } from './package/check-package.ts';
import { sha256Of } from '../package-file.ts';
import { readZip } from './package/read-zip.ts';
import { writeZip } from './package/write-zip.ts';
import { compareVersions } from './versions.ts';

export interface PackedCapability {
	/** `<type>-<name>-<version>.zip` */
	readonly fileName: string;
	readonly bytes: Buffer;
	readonly sha256: string;
}

/** Rejects with EXTRACTION_FAILED or INVALID_CAPABILITY_CONFIG for what nobody could install. */
export async function packCapability(folder: string, signal: AbortSignal): Promise<PackedCapability> {
	const { manifest, files } = checkPackage(await readPackageFolder(folder), undefined, undefined);
	const bytes = writeZip(files);
	// Reads the archive back with the checks of an installation, so that it packs only what can be installed.
	await readZip(bytes, signal);
	const version = manifest.version.replaceAll(/[^A-Za-z0-9.+-]/g, '-');
	return { fileName: `${manifest.type}-${manifest.name}-${version}.zip`, bytes, sha256: sha256Of(bytes) };
}

/** The same, as a file in `out`, in the place of one of that name. */
export async function packInto(folder: string, out: string, signal: AbortSignal): Promise<PackedCapability> {
	const packed = await packCapability(folder, signal);
	await mkdir(out, { recursive: true });
	await replaceDurably(join(out, packed.fileName), packed.bytes, SHARED_FILE);
	return packed;
}

/** Rejects with NOT_FOUND or IO_ERROR; what it holds is looked at when it is used. */
export async function readSigningKey(path: string): Promise<string> {
	try {
		return (await readRegularFile(await realpath(path), MAX_KEY_BYTES)).toString('utf8');
	} catch (error) {
		throw fileError('read', path, error);
	}
}

/** An index that was built, so of entries that are right. */
export interface BuiltIndex extends IndexFile {
	readonly capabilities: IndexEntry[];
}

export interface IndexOptions {
	readonly name: string;
	readonly description?: string | undefined;
	/** PEM of an ed25519 private key. */
	readonly signingKey?: string | undefined;
	readonly expires?: string | undefined;
	/** Versions that are taken back, each as `type/name` or `type/name@version`, besides those of the index that is there. */
	readonly revoked?: readonly string[];
}

/**
 * Builds an index of the archives in a folder, of the capabilities in `<type>/<name>` and of the executors in
 * `executors/<name>` below it. Rejects as `packCapability` does.
 */
export async function buildIndex(folder: string, options: IndexOptions, signal: AbortSignal): Promise<BuiltIndex> {
	const key = options.signingKey === undefined ? undefined : parseSigningKey(options.signingKey);
	const entries: IndexEntry[] = [];
	for (const download of await downloadsIn(folder)) {
		signal.throwIfAborted();
		entries.push(await createIndexEntry(folder, download, key, signal));
	}
	entries.sort(
		(a, b) =>
			(`${a.type}/${a.name}` < `${b.type}/${b.name}` ? -1 : `${a.type}/${a.name}` > `${b.type}/${b.name}` ? 1 : 0) ||
			compareVersions(b.version, a.version),
	);
	const twice = entries.find(({ type, name, version }, at) => {
		const next = entries[at + 1];
		return next?.type === type && next.name === name && next.version === version;
	});
	if (twice !== undefined) {
		throw new ProwessError(
			'INVALID_CAPABILITY_CONFIG',
			`${twice.type}/${twice.name} ${twice.version} is there twice`,
			{},
		);
	}
	const { name, description, expires } = options;
	const revoked = await revokedIn(folder, options.revoked ?? []);
	return {
		prowessIndex: 1,
		name,
		...(description === undefined ? {} : { description }),
		...(expires === undefined ? {} : { expires }),
		capabilities: entries,
		...(revoked.length === 0 ? {} : { revoked }),
	};
}

/** Parses the index that is about to be replaced; empty where it is no JSON. */
function looseJson(written: string): unknown {
	try {
		return JSON.parse(written);
	} catch {
		return {};
	}
}

/** A version stays revoked when its index is built anew. Rejects with INVALID_PARAMS. */
async function revokedIn(folder: string, named: readonly string[]): Promise<RevokedVersion[]> {
	const written = await readIfThere(join(folder, INDEX_FILE));
	const before = z.object({ revoked: z.array(RevokedVersion) }).safeParse(looseJson(written ?? '{}'));
	const all = before.success ? before.data.revoked : [];
	for (const each of named) {
		const [, type, name, version] = /^([^/@]+)\/([^@]+)(?:@(.+))?$/.exec(each) ?? [];
		const parsed = RevokedVersion.safeParse({ type, name, ...(version === undefined ? {} : { version }) });
		if (!parsed.success) {
			throw new ProwessError('INVALID_PARAMS', `"${each}" is no version: expected type/name or type/name@version`, {});
		}
		all.push(parsed.data);
	}
	return [...new Map(all.map((each) => [`${each.type}/${each.name}@${each.version}`, each])).values()];
}

export function indexText(index: IndexFile): string {
	return `${JSON.stringify(index, null, '\t')}\n`;
}

export async function writeIndex(folder: string, index: IndexFile): Promise<string> {
	const path = join(folder, INDEX_FILE);
	await replaceDurably(path, indexText(index), SHARED_FILE);
	return path;
}

async function downloadsIn(folder: string): Promise<string[]> {
	const found: string[] = [];
	for (const entry of await readdir(folder, { withFileTypes: true })) {
		if (entry.isFile() && entry.name.endsWith('.zip')) {
			found.push(entry.name);
		} else if (entry.isDirectory() && !entry.name.startsWith('.')) {
			for (const below of await readdir(join(folder, entry.name), { withFileTypes: true })) {
				if (below.isDirectory()) found.push(`${entry.name}/${below.name}`);
			}
		}
	}
	return found.sort();
}

async function createIndexEntry(
	folder: string,
	download: string,
	signingKey: KeyObject | undefined,
	signal: AbortSignal,
): Promise<IndexEntry> {
	const path = join(folder, ...download.split('/'));
	let checked: CheckedPackage;
	let size: number;
	if (download.endsWith('.zip')) {
		size = (await stat(path)).size;
		if (size > MAX_ARCHIVE_BYTES) {
			throw new ProwessError('EXTRACTION_FAILED', `${path}: ${size} bytes, the limit is ${MAX_ARCHIVE_BYTES}`, {
				path,
			});
		}
		const bytes = await readRegularFile(await realpath(path), MAX_ARCHIVE_BYTES);
		checked = checkPackage(await readZip(bytes, signal), sha256Of(bytes), undefined);
	} else {
		checked = checkPackage(await readPackageFolder(path), undefined, undefined);
		size = checked.files.reduce((sum, { bytes }) => sum + bytes.length, 0);
	}
	const { manifest, sha256 } = checked;
	const { name, type, version, description, author, tags, permissions, level } = manifest;
	const about = { name, type, version, description, author, tags, permissions, level };
	return IndexEntry.parse({
		...about,
		download,
		sha256,
		size,
		...signIndexEntry({ name, type, version, sha256 }, signingKey),
	});
}

function signIndexEntry(
	claim: Parameters<typeof signedStatement>[0],
	signingKey: KeyObject | undefined,
): Partial<Pick<IndexEntry, 'key' | 'signature'>> {
	if (signingKey === undefined) {
		return {};
	}
	const signature = sign(null, Buffer.from(signedStatement(claim), 'utf8'), signingKey).toString('base64');
	return { key: exportPublicKey(signingKey), signature };
}
