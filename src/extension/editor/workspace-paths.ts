/**
 * Workspace paths, as people and models write them: relative to the folder, slashes forward, with the folder's name first
 * when there are several. Pure; the trusted base checks every path again before it touches a file.
 */
import { isAbsolute, join, relative, sep } from 'node:path';
import type { WorkspaceFolder } from '../../contract/ports/ports.ts';

/** Names that are unique and free of slashes: a second `app` becomes `app-2`. */
export function namedFolders(folders: readonly { readonly name: string; readonly path: string }[]): WorkspaceFolder[] {
	const taken = new Set<string>();
	return folders.map(({ name, path }) => {
		const plain = name.replaceAll(/[/\\]/g, '-') || 'folder';
		let unique = plain;
		for (let n = 2; taken.has(unique); n += 1) {
			unique = `${plain}-${n}`;
		}
		taken.add(unique);
		return { name: unique, path };
	});
}

/** Undefined for a file that lies in no folder of the workspace. */
export function toWorkspacePath(folders: readonly WorkspaceFolder[], absolutePath: string): string | undefined {
	for (const { name, path } of folders) {
		const inside = relative(path, absolutePath);
		if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
			continue;
		}
		const slashed = inside.split(sep).join('/');
		return folders.length === 1 ? slashed : slashed === '' ? name : `${name}/${slashed}`;
	}
	return undefined;
}

/** Undefined for a path that steps out of the workspace, is absolute elsewhere, or names no folder of several. */
export function toAbsolutePath(folders: readonly WorkspaceFolder[], path: string): string | undefined {
	if (isAbsolute(path)) {
		return toWorkspacePath(folders, path) === undefined ? undefined : path;
	}
	const [first = '', ...rest] = path.split('/');
	const only = folders.length === 1 ? folders[0] : undefined;
	const folder = only ?? folders.find(({ name }) => name === first);
	if (folder === undefined) {
		return undefined;
	}
	const absolute = join(folder.path, only === undefined ? rest.join('/') : path);
	return toWorkspacePath([folder], absolute) === undefined ? undefined : absolute;
}
