/**
 * Folder in which a scope keeps what is installed: `capabilities/<type>/<name>`, the lock file beside it, and
 * `marketplace/` for our own files only: drafts, former versions, the journal of a change. No access goes through a
 * link.
 */
import { lstatSync } from 'node:fs';
import { lstat, mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { MAX_MANIFEST_BYTES } from '../../protocol/capability/limits.ts';
import { type InstallScope, LockFile } from '../../protocol/capability/marketplace.ts';
import { text } from '../../protocol/text/text.ts';
import { findErrno, unlessMissing } from '../../machine/paths/file-error.ts';
import { readRegularFile } from '../../machine/paths/reading/read-regular-file.ts';
import { PRIVATE_FILE, replaceDurably, SHARED_FILE } from '../../machine/home-files/durable-file.ts';
import { MAX_LOCK_FILE_BYTES } from './limits.ts';

export type LockedCapability = LockFile['capabilities'][string];

export class ScopeFolder {
	readonly scope: InstallScope;
	/** PROWESS_HOME, or `.prowess` of a workspace folder; a real path. */
	readonly base: string;

	private constructor(scope: InstallScope, base: string) {
		this.scope = scope;
		this.base = base;
	}

	/** `base` need not exist; the folder it lies in must. */
	static async at(scope: InstallScope, base: string): Promise<ScopeFolder> {
		return new ScopeFolder(scope, join(await realpath(dirname(base)), basename(base)));
	}

	/** `key`: `<type>/<name>`. */
	target(key: string): string {
		return join(this.base, 'capabilities', ...key.split('/'));
	}

	previous(key: string): string {
		return join(this.state, 'previous', ...key.split('/'));
	}

	get state(): string {
		return join(this.base, 'marketplace');
	}

	get staging(): string {
		return join(this.state, 'staging');
	}

	get journal(): string {
		return join(this.state, 'journal.json');
	}

	get mutex(): string {
		return join(this.state, 'mutex.db');
	}

	get #lockFile(): string {
		return join(this.base, 'prowess-lock.json');
	}

	/** Mode of files written here: private in the global scope, shared in a project. */
	get fileMode(): number {
		return this.scope === 'global' ? PRIVATE_FILE : SHARED_FILE;
	}

	/** Makes what is missing. Rejects with PATH_OUTSIDE_WORKSPACE when a link is in the way. */
	async prepare(key: string): Promise<void> {
		for (const folder of this.#foldersFor(key)) {
			await this.#makeFolder(folder);
		}
		await this.refuseLinks(key);
		if (
			this.scope === 'project' &&
			lstatSync(join(this.state, '.gitignore'), { throwIfNoEntry: false }) === undefined
		) {
			await replaceDurably(join(this.state, '.gitignore'), '*\n', this.fileMode);
		}
	}

	/**
	 * Before anything below is moved or removed: a project may come with all of this, and with links in it. Rejects with
	 * PATH_OUTSIDE_WORKSPACE.
	 */
	async refuseLinks(key: string): Promise<void> {
		for (const folder of this.#foldersFor(key)) {
			await refuseUnless(folder, 'folder');
		}
		if (key !== '') await refuseUnless(this.previous(key), 'folder');
		await refuseUnless(this.journal, 'file');
		await refuseUnless(this.mutex, 'file');
	}

	/** Empty when there is none; rejects with INVALID_STATE when it is none of ours. */
	async readLock(): Promise<LockFile> {
		try {
			const text = await this.#readState(this.#lockFile, MAX_LOCK_FILE_BYTES);
			return text === undefined ? { prowessLock: 1, capabilities: {} } : LockFile.parse(JSON.parse(text));
		} catch (error) {
			const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
			const message = `${this.#lockFile} cannot be read, so nothing is changed here: ${why}. Repair it, or move it away`;
			throw new ProwessError(
				'INVALID_STATE',
				message,
				{
					path: this.#lockFile,
					said: text('{path} cannot be read, so nothing is changed here: {why}. Repair it, or move it away.', {
						path: this.#lockFile,
						why,
					}),
				},
				error,
			);
		}
	}

	async writeLock(lock: LockFile): Promise<void> {
		const capabilities = Object.fromEntries(Object.entries(lock.capabilities).sort(([a], [b]) => (a < b ? -1 : 1)));
		await replaceDurably(this.#lockFile, `${JSON.stringify({ ...lock, capabilities }, null, '\t')}\n`, this.fileMode);
	}

	/** Undefined when there is none. */
	async readJournal(): Promise<string | undefined> {
		return await this.#readState(this.journal, MAX_MANIFEST_BYTES);
	}

	/** All that a change of this capability moves things in or out of, the outer ones first. */
	#foldersFor(key: string): string[] {
		const [type = ''] = key.split('/');
		return [
			[],
			['capabilities'],
			['capabilities', type],
			['marketplace'],
			['marketplace', 'staging'],
			['marketplace', 'previous'],
			['marketplace', 'previous', type],
		].map((below) => join(this.base, ...below));
	}

	async #makeFolder(path: string): Promise<void> {
		try {
			await mkdir(path, { mode: this.scope === 'global' ? 0o700 : 0o755 });
		} catch (error) {
			if (findErrno(error) !== 'EEXIST') throw error;
		}
		await refuseUnless(path, 'folder');
	}

	/** In a project the file came from others: through no link, and no more than it may have. */
	async #readState(path: string, maxBytes: number): Promise<string | undefined> {
		if (this.scope === 'project') await refuseUnless(path, 'file');
		const realPath = await unlessMissing(realpath(path));
		return realPath === undefined ? undefined : (await readRegularFile(realPath, maxBytes)).toString('utf8');
	}
}

/**
 * Rejects with PATH_OUTSIDE_WORKSPACE when the path exists and is a link or not of this kind; a missing path is no
 * link.
 */
async function refuseUnless(path: string, kind: 'folder' | 'file'): Promise<void> {
	const found = await unlessMissing(lstat(path));
	if (found !== undefined && !(kind === 'folder' ? found.isDirectory() : found.isFile())) {
		const message = `${path} is a link, or no ${kind}; nothing is installed through it`;
		throw new ProwessError('PATH_OUTSIDE_WORKSPACE', message, { path });
	}
}
