/** Folders of the workspace as the disk has them, and why some cannot be kept apart from what is to be kept out of them. */
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { userHomeFolder } from '../environment.ts';
import { text, type Text } from '../../protocol/text/text.ts';
import { isClosedFolder } from '../paths/is-folder.ts';
import { homeOfUser } from './mounts/home-table.ts';
import { isInFolder } from './mounts/mounts.ts';

/** Why a workspace cannot be kept apart from what is to be kept out of it. */
export function describeUnfitWorkspace(folders: readonly string[]): Text | undefined {
	const roots = folders.flatMap((path) => findRealPath(path) ?? []);
	const homes = [userHomeFolder(), homeOfUser()].flatMap((path) => findRealPath(path) ?? []);
	if (roots.some((root) => homes.some((home) => isInFolder(home, root)))) {
		return text('The workspace contains your home folder. Open a project folder instead.');
	}
	// In the sandbox the superuser is an ordinary user, who does not own it.
	const isForeign = (root: string) => process.getuid?.() === 0 && statSync(root).uid !== 0;
	if (roots.some(isForeign)) return text('The workspace belongs to another user of this machine.');
	return roots.some(isClosedFolder)
		? text('The workspace folder cannot be read. Give yourself the right to read and open it.')
		: undefined;
}

/** The path with the links of its folder followed, not its own. */
export function resolveParentFolder(path: string): string {
	return join(findRealPath(dirname(path)) ?? dirname(path), basename(path));
}

export function findRealPath(path: string): string | undefined {
	return existsSync(path) ? realpathSync(path) : undefined;
}

/** Links among the folders of the path, whichever it was named by. */
export function listLinksAbove(path: string): readonly string[] {
	const links: string[] = [];
	for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
		if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) links.push(at);
	}
	return links;
}

/** Said of a command when the search for what to guard did not reach its end. */
export const GUARDED_IN_PART =
	'The workspace holds more folders, or more secret and protected files, than are guarded: some of them were open to this command.';
