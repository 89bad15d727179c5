/**
 * Where a scope keeps what is installed: `capabilities/<type>/<name>`, the lock file beside it, and in `marketplace/` what is
 * only ours: drafts, former versions, the journal of a change. Nothing of it is reached through a link.
 */
import { lstat, mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ProwessError } from '../../protocol/errors.ts';
import { type InstallScope, LockFile } from '../../protocol/marketplace.ts';
import { errnoOf } from '../paths/file-error.ts';
import { readIfThere, replaceDurably } from '../home-files/durable-file.ts';
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

	/** Makes what is missing. Rejects with PATH_OUTSIDE_WORKSPACE when a link is in the way. */
	async prepare(key: string): Promise<void> {
		const [type = ''] = key.split('/');
		for (const below of [
			[],
			['capabilities'],
			['capabilities', type],
			['marketplace'],
			['marketplace', 'staging'],
			['marketplace', 'previous'],
			['marketplace', 'previous', type],
		]) {
			await this.#makeFolder(join(this.base, ...below));
		}
		if (this.scope === 'project' && (await readIfThere(join(this.state, '.gitignore'))) === undefined) {
			await replaceDurably(join(this.state, '.gitignore'), '*\n');
		}
	}

	/** Empty when there is none; rejects with INVALID_STATE when it is none of ours. */
	async readLock(): Promise<LockFile> {
		const text = await readIfThere(this.#lockFile);
		if (text === undefined) {
			return { prowessLock: 1, capabilities: {} };
		}
		try {
			if (text.length > MAX_LOCK_FILE_BYTES) {
				throw new Error(`more than ${MAX_LOCK_FILE_BYTES} characters`);
			}
			return LockFile.parse(JSON.parse(text));
		} catch (error) {
			const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
			const message = `${this.#lockFile} cannot be read, so nothing is changed here: ${why}. Repair it, or move it away`;
			throw new ProwessError('INVALID_STATE', message, { path: this.#lockFile }, error);
		}
	}

	async writeLock(lock: LockFile): Promise<void> {
		const capabilities = Object.fromEntries(Object.entries(lock.capabilities).sort(([a], [b]) => (a < b ? -1 : 1)));
		await replaceDurably(this.#lockFile, `${JSON.stringify({ ...lock, capabilities }, null, '\t')}\n`);
	}

	async #makeFolder(path: string): Promise<void> {
		try {
			await mkdir(path, { mode: this.scope === 'global' ? 0o700 : 0o755 });
		} catch (error) {
			if (errnoOf(error) !== 'EEXIST') throw error;
		}
		if (!(await lstat(path)).isDirectory()) {
			throw new ProwessError('PATH_OUTSIDE_WORKSPACE', `${path} is a link or a file; nothing is installed through it`, {
				path,
			});
		}
	}
}
