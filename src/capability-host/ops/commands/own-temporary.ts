/** What a command finds in the `/tmp` that its sandbox gives it, which is that of its thread or its own. */
import { sep } from 'node:path';
import { isElsewhere, isTemporary } from '../../../protocol/ops/commands/redirect.ts';
import type { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import type { NeedsPlaces } from './command-needs.ts';

/** Whether an absolute path names something there, and not what is shown of the machine in its place: workspace and homes. */
export function isOwnTemporary(
	path: string,
	{ paths, userHome, home }: Pick<NeedsPlaces, 'userHome' | 'home'> & { readonly paths: WorkspacePaths },
): boolean {
	return (
		isTemporary(path) &&
		isElsewhere(path) &&
		paths.toWorkspacePath(path) === undefined &&
		![userHome, home].some((folder) => path.startsWith(`${folder}${sep}`))
	);
}
