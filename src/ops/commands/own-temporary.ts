/** What a command finds in the `/tmp` that its sandbox gives it, which is that of its thread or its own. */
import { sep } from 'node:path';
import { isElsewhere, isTemporary } from '../../protocol/ops/commands/redirect.ts';
import type { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import type { CommandRunner } from '../../machine/shell/command-runner.ts';
import type { NeedsPlaces } from './command-needs.ts';

type Homes = Pick<NeedsPlaces, 'userHome' | 'home'>;

/** Whether an absolute path names something there, and not what is shown of the machine in its place: workspace and homes. */
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

/** Of commands that run in the sandbox, as it is here and now. */
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
