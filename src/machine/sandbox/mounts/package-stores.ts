/**
 * Folders of installed packages whose files are also in a store of the user outside (pnpm, Bun, uv and Yarn link them where
 * they can): whoever changes such a file changes it for every project on the disk. A few files tell: tools link all or none.
 */
import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isClosedFolder } from '../../paths/is-folder.ts';
import { SAMPLED_ENTRIES, SAMPLED_FILES, SAMPLED_FOLDERS } from '../limits.ts';

/** Where packages lie in a folder of that name: the first that has linked files is the store's. */
const PACKAGE_FOLDERS: Readonly<Record<string, (folder: string) => readonly string[]>> = {
	node_modules: (folder) => [join(folder, '.pnpm'), folder],
	'.venv': findSitePackages,
	venv: findSitePackages,
};

/** In `node_modules`, but written by tools that run, not by those that install. */
const WRITTEN_WHILE_RUNNING = /^\.(?!pnpm$|bin$|bun$|store$|yarn)/;

export interface PackageStore {
	/** Folder to be kept as it is. */
	readonly path: string;
	/** Folders in it that stay writable. */
	readonly writable: readonly string[];
}

interface SampledFolder {
	readonly changedAt: bigint;
	readonly store: PackageStore | undefined;
}

export class PackageStores {
	readonly #known = new Map<string, SampledFolder>();

	/** `folder`: absolute, of installed packages. Looked at again once something was installed there. */
	storeIn(folder: string): PackageStore | undefined {
		const name = folder.slice(folder.lastIndexOf('/') + 1);
		const candidates = PACKAGE_FOLDERS[name];
		if (candidates === undefined) {
			return undefined;
		}
		// A command that opens it again could reach a store by it.
		if (isClosedFolder(folder)) return { path: folder, writable: [] };
		try {
			const changedAt = statSync(folder, { bigint: true }).ctimeNs;
			const known = this.#known.get(folder);
			if (known?.changedAt === changedAt) {
				return known.store;
			}
			const path = candidates(folder).find(hasLinkedFiles);
			const store = path === undefined ? undefined : { path, writable: path === folder ? listWritable(folder) : [] };
			this.#known.set(folder, { changedAt, store });
			return store;
		} catch {
			// Gone since, or not ours to read.
			return undefined;
		}
	}
}

/** Looks at the first files of the folder, nearest to it first. */
function hasLinkedFiles(folder: string): boolean {
	const left = [folder];
	let files = 0;
	for (let folders = 0; left.length > 0 && folders < SAMPLED_FOLDERS && files < SAMPLED_FILES; folders++) {
		const path = left.shift() ?? '';
		if (isClosedFolder(path)) return true;
		const entries = readFolderEntries(path).filter(({ name }) => !name.startsWith('.') || path !== folder);
		for (const entry of entries.slice(0, SAMPLED_ENTRIES)) {
			const at = join(path, entry.name);
			if (entry.isDirectory()) left.push(at);
			else if (entry.isFile() && (lstatSync(at, { throwIfNoEntry: false })?.nlink ?? 1) > 1) return true;
			else files += entry.isFile() ? 1 : 0;
		}
	}
	return false;
}

function findSitePackages(folder: string): readonly string[] {
	return readFolderEntries(join(folder, 'lib'))
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => join(folder, 'lib', name, 'site-packages'));
}

function listWritable(folder: string): readonly string[] {
	return readFolderEntries(folder)
		.filter((entry) => entry.isDirectory() && WRITTEN_WHILE_RUNNING.test(entry.name))
		.map(({ name }) => join(folder, name));
}

function readFolderEntries(folder: string): Dirent[] {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		// Missing folders have no entries.
		return [];
	}
}
