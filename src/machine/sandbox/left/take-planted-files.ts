/** Takes away what a command has left that steers other programs, or holds it until the user has saved it. */
import { symlink } from 'node:fs/promises';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { isInFolder } from '../mounts/mounts.ts';
import type { HeldFiles } from './held-files.ts';
import type { SteeringFiles } from './planted-files.ts';
import type { Quarantine } from './quarantine.ts';

interface PlantedBy {
	/** Folders that hold the planted files: the workspace, trees around it, repositories. */
	readonly roots: readonly string[];
	/** Files that steered other programs before the command. */
	readonly found: SteeringFiles;
	/** True for a command that others may use while it runs: what it made is held, not moved. */
	readonly isBackground: boolean;
}

/** Resolves with a sentence on each of the paths. */
export async function takePlantedFiles(
	paths: readonly string[],
	{ roots, found, isBackground }: PlantedBy,
	held: Pick<HeldFiles, 'hold'>,
	quarantine: Pick<Quarantine, 'take'>,
): Promise<readonly string[]> {
	return await Promise.all(
		paths.map(async (path) => {
			const root = roots.find((each) => isInFolder(path, each)) ?? '/';
			const shown = found.repositories.includes(root) ? path : path.slice(root.length + 1);
			if (isBackground) {
				held.hold(path);
				return `${shown} appeared while the command ran. It steers other programs: check it before you use it. Nobody here follows it until the user has saved it.`;
			}
			try {
				const to = await quarantine.take(root, path);
				const target = found.links.get(path);
				if (target !== undefined) await symlink(target, path);
				return `${shown} steers other programs. The command created it, so it was moved to ${to}. To create it, ask with needs.write ["${shown}"].`;
			} catch (error) {
				return `${shown} steers other programs and was created by the command. ${toErrorMessage(error)}. Remove it.`;
			}
		}),
	);
}
