/**
 * Gives the private caches of a workspace what its lock files need and the user's own caches have, so that an installation
 * in the sandbox needs no network. Only packages are copied: settings and credentials of the tools lie elsewhere.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { cacheName, homeIn } from '../mounts/home-contents.ts';
import { homeTable, resolveHomeEntry } from '../mounts/home-table.ts';
import { isInFolder } from '../mounts/mounts.ts';
import type { CommandFolders } from '../sandbox-folders.ts';
import { copyPackages } from './copy-packages.ts';
import { lockText, packageTools } from './locked-packages.ts';

interface PackageRequest {
	readonly own: Pick<CommandFolders, 'caches' | 'cachesElsewhere'>;
	/** Where lock files may lie: the folder of the command, and those of the workspace. */
	readonly folders: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	/** The words of the command: only the tools that it names need their packages. */
	readonly words: readonly string[];
}

export class KnownPackages {
	/** Version of each lock file whose packages were copied, by cache and lock file. */
	readonly #copied = new Map<string, string>();

	/** Rejects when a file cannot be copied. Without its packages a tool asks for the network, as it would have. */
	async give({ own, folders, environment, words }: PackageRequest, signal: AbortSignal): Promise<void> {
		const line = words.join(' ');
		const home = homeIn(environment);
		for (const entry of homeTable.filter(({ as }) => as === 'cache')) {
			const tool = packageTools[join(entry.path, entry.below ?? '')];
			if (tool?.names.test(line) !== true) continue;
			const from = resolveHomeEntry(entry, home, environment);
			const to = join(isInFolder(from, home) ? own.caches : own.cachesElsewhere, cacheName(from, home));
			const locks = [...new Set(folders)].flatMap((folder) => tool.locks.map((name) => join(folder, name)));
			for (const lock of locks) {
				const version = readLockVersion(lock);
				const key = `${to}\0${lock}`;
				if (version === undefined || this.#copied.get(key) === version) continue;
				await copyPackages(from, to, tool.files(lockText(lock) ?? '', from), signal);
				this.#copied.set(key, version);
			}
		}
	}
}

function readLockVersion(path: string): string | undefined {
	const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
	return stat === undefined ? undefined : `${stat.ctimeNs}:${stat.size}:${stat.ino}`;
}
