/**
 * Folders with guarded files, by identity: a command can move such a folder to where nothing is looked for. Kept in the home,
 * because the next host must know it as well.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRegularFileSync } from '../../paths/reading/read-regular-file.ts';

/** Most bytes of the file of a workspace. */
const FOLDERS_BYTES = 4 * 1_048_576;

/** Paths by identity. */
type FoldersByIdentity = ReadonlyMap<string, string>;

interface KeptFolders {
	readonly folders: FoldersByIdentity;
	/** When the file that holds them changed; undefined: there is none. */
	readonly changedAt: bigint | undefined;
}

export class GuardingFolders {
	readonly #home: string | undefined;
	readonly #kept = new Map<string, KeptFolders>();

	/** `home`: PROWESS_HOME; undefined: nothing is kept beyond this process. */
	constructor(home: string | undefined) {
		this.#home = home;
	}

	/** Folders that were found below `root`, by this host or another. */
	read(root: string): FoldersByIdentity {
		const kept = this.#kept.get(root);
		const path = this.#pathFor(root);
		const changedAt = readChangeTime(path);
		if (path === undefined || changedAt === undefined || changedAt === kept?.changedAt) {
			return kept?.folders ?? new Map();
		}
		const folders = new Map([...(kept?.folders ?? []), ...readGuardingFolders(path)]);
		this.#kept.set(root, { folders, changedAt });
		return folders;
	}

	write(root: string, folders: FoldersByIdentity): void {
		const before = this.#kept.get(root)?.folders;
		if (before?.size === folders.size && [...folders].every(([identity, path]) => before.get(identity) === path)) {
			return;
		}
		const path = this.#pathFor(root);
		if (path !== undefined && (folders.size > 0 || before !== undefined)) {
			mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
			const written = `${path}.${process.pid}`;
			writeFileSync(written, JSON.stringify([...folders]), { mode: 0o600 });
			renameSync(written, path);
		}
		const changedAt = readChangeTime(path);
		this.#kept.set(root, { folders, changedAt });
	}

	#pathFor(root: string): string | undefined {
		const name = createHash('sha256').update(root).digest('hex').slice(0, 32);
		return this.#home === undefined ? undefined : join(this.#home, 'guarded', `${name}.json`);
	}
}

function readChangeTime(path: string | undefined): bigint | undefined {
	return path === undefined ? undefined : statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
}

function readGuardingFolders(path: string): FoldersByIdentity {
	try {
		return new Map(JSON.parse(readRegularFileSync(path, FOLDERS_BYTES).toString('utf8')) as [string, string][]);
	} catch {
		// Damaged: what lies there is found again where it is looked for.
		return new Map();
	}
}
