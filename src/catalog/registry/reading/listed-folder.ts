/** Content of one folder, and the capability or executor that it makes of the folder. */
import { sep } from 'node:path';
import { CAPABILITY_MANIFESTS, capabilityManifestsIn, runnableFilesIn } from '../../../protocol/capability/manifest.ts';
import type { CapabilityFolder } from '../sources/what-it-runs.ts';
import type { KnownListing } from './scan-memory.ts';

export interface ItemFolder extends CapabilityFolder {
	/** Real. */
	readonly path: string;
	/** Name of the folder where it was found, which may be that of a link. */
	readonly name: string;
	/** Type named by the parent folder; undefined where folders are not sorted by type. */
	readonly type: string | undefined;
	/** The manifests that lie in it. */
	readonly manifests: readonly string[];
	/** Why it cannot be used, whatever its manifest says. */
	readonly problem: string | undefined;
}

export interface ListedFolderEntry {
	readonly path: string;
	readonly name: string;
	readonly problem?: string;
}

export interface FolderListing {
	readonly folders: readonly ListedFolderEntry[];
	readonly files: readonly string[];
}

export function toFolderListing(path: string, { folders, files }: KnownListing): FolderListing {
	// Names hold nothing to be resolved.
	return { folders: folders.map((name) => ({ path: path + sep + name, name })), files };
}

export function isItemFolder(
	files: readonly string[],
	manifests: readonly string[],
	programs: readonly string[],
): boolean {
	return (
		files.some((name) => manifests.includes(name) || programs.includes(name)) ||
		(manifests === CAPABILITY_MANIFESTS && capabilityManifestsIn(files).length > 0)
	);
}

export function toItemFolder(
	{ path, name, problem }: ListedFolderEntry,
	type: string | undefined,
	{ folders, files }: FolderListing,
	wanted: readonly string[],
): ItemFolder {
	const manifests =
		wanted === CAPABILITY_MANIFESTS ? capabilityManifestsIn(files) : wanted.filter((each) => files.includes(each));
	const runnable = runnableFilesIn([...files, ...folders.map((folder) => folder.name)]);
	return { path, name, type, manifests, runnable, problem };
}
