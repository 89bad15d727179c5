/** Paths in the `/tmp` that the sandbox gives a command, which is that of its thread or its own. */
import { sep } from 'node:path';
import { isElsewhere, isTemporary } from '../../protocol/ops/commands/redirect.ts';
import type { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import type { CommandRunner } from '../../machine/shell/command-runner.ts';
import type { NeedsPlaces } from './command-needs.ts';

type Homes = Pick<NeedsPlaces, 'userHome' | 'home'>;

/**
 * True when an absolute path names something in that `/tmp`, and not a folder of the machine that is shown there:
 * workspace and homes.
 */
export function isOwnTemporary(
	path: string,
	{ paths, userHome, home }: Homes & { readonly paths: WorkspacePaths },
): boolean {
	return (
		isTemporary(path) &&
		isElsewhere(path) &&
		paths.toWorkspacePath(path) === undefined &&
		![userHome, home].some((folder) => path.startsWith(`${folder}${sep}`))
	);
}

/** Returns a check of paths for commands that run in the sandbox, in its state at the time of each check. */
export function ownTemporaries({
	commands,
	paths,
	places,
}: {
	readonly commands: Pick<CommandRunner, 'sandboxState'>;
	readonly paths: WorkspacePaths;
	readonly places: Homes;
}): (path: string) => Promise<boolean> {
	return async (path) =>
		process.platform === 'linux' && isOwnTemporary(path, { paths, ...places }) && (await commands.sandboxState()).works;
}
