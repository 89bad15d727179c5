/** Place in the workspace that a sandboxed command may not read or not change. */
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { isReadOnlyInSandbox, steersByName } from '../../paths/names/protected-names.ts';
import { isSecretName } from '../../paths/names/secret-names.ts';
import { isToolFolderName } from '../../paths/names/name-rules.ts';

export interface GuardedPlace {
	/** Absolute; below the root that was looked through by names alone, without following links. */
	readonly path: string;
	readonly kind: 'file' | 'folder' | 'link';
	/** Not to be read. */
	readonly isSecret: boolean;
	/** Not to be changed. */
	readonly isProtected: boolean;
	/** Git's own folder, or a folder that Git would take for one: changed by Git only in part. */
	readonly isRepository: boolean;
	/** Guarded for another name of the file, or because it has one elsewhere. */
	readonly isSecondName?: boolean;
	/** A folder that cannot be looked into, but that a command can open again. */
	readonly isClosed?: boolean;
	/** Folders of installed packages that a store outside shares; those of them that stay writable. */
	readonly writable?: readonly string[];
}

/** `above`: names of the folders between the root that is looked through and the entry. */
export function toGuardedPlace(entry: Dirent, folder: string, above: readonly string[]): GuardedPlace | undefined {
	if (isToolFolderName(entry.name)) {
		return undefined;
	}
	const segments = [...above, entry.name];
	const kind = entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'file';
	const isRepository = entry.name === '.git' && kind === 'folder';
	const isSecret = !isRepository && isSecretName(segments);
	// A link in place of a folder such as `.github` leads to files that steer by their names below it.
	const isProtected = kind === 'link' ? steersByName(segments) : isReadOnlyInSandbox(segments);
	return isSecret || isProtected || isRepository
		? { path: join(folder, entry.name), kind, isSecret, isProtected, isRepository }
		: undefined;
}

/** A folder with this in it is a repository to Git, whatever its name. */
const SHAPE = ['HEAD', 'objects', 'refs'];

/** True of an entry that a folder needs to be one. */
export function shapesRepository({ name }: Dirent): boolean {
	return SHAPE.includes(name);
}

export function bareRepository(entries: readonly Dirent[], path: string): GuardedPlace[] {
	const names = new Set(entries.map(({ name }) => name));
	return SHAPE.every((name) => names.has(name))
		? [{ path, kind: 'folder', isSecret: false, isProtected: false, isRepository: true }]
		: [];
}
