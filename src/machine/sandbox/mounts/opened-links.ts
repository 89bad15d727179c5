/**
 * Links by which the user opened the workspace. A sandbox that hides the folder of such a link shows the link again: it
 * leads to what the sandbox shows of the workspace, so that nothing guarded has a second name.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isInFolder, type OpenedLink } from './mounts.ts';

/** Links that the system follows before it gives up. */
const MOST_LINKS = 40;

/**
 * Returns the links on the way to these folders of the workspace, as they were opened, none in another. A home that is
 * itself reached through a link is none of them: the folder is then a link in the home.
 */
export function listOpenedLinks(folders: readonly string[], home: string): readonly OpenedLink[] {
	const links = folders.flatMap(followLinks).filter(({ path }) => !isInFolder(home, path));
	const isFirst = (path: string, at: number) => links.findIndex((link) => link.path === path) === at;
	const isInOther = (path: string) => links.some((link) => link.path !== path && isInFolder(path, link.path));
	return links.filter(({ path }, at) => isFirst(path, at) && !isInOther(path));
}

/** Each link with its place free of links, and the folder itself where it has another name. */
function followLinks(folder: string): OpenedLink[] {
	try {
		const real = realpathSync(folder);
		if (real === folder) return [];
		const links: OpenedLink[] = [];
		const left = folder.split('/').reverse();
		let at = '/';
		for (let name = left.pop(); name !== undefined && links.length < MOST_LINKS; name = left.pop()) {
			const path = join(at, name);
			if (lstatSync(path).isSymbolicLink()) {
				links.push({ path, to: realpathSync(path) });
				left.push(...resolve(at, readlinkSync(path)).split('/').reverse());
				at = '/';
			} else {
				at = path;
			}
		}
		return [...links, { path: folder, to: real }];
	} catch {
		// Gone, or not ours to read.
		return [];
	}
}
