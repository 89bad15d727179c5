/** Workspaces that no sandbox of commands can keep apart from what is to be kept out of it. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { userHomeFolder } from '../home-files/user-home.ts';
import { text, type Text } from '../../protocol/text/text.ts';
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
	return roots.some(isForeign) ? text('The workspace belongs to another user of this machine.') : undefined;
}

export function findRealPath(path: string): string | undefined {
	return existsSync(path) ? realpathSync(path) : undefined;
}
