/** Looks at the files of hooks that there are: what each says, and whether the user has agreed to what it says now. */
import { lstat } from 'node:fs/promises';
import { findErrno } from '../../../../machine/paths/file-error.ts';
import type { PlacesPort, WorkspacePort } from '../../../../contract/ports/ports.ts';
import { hookFiles, type HooksOfPlugin } from './hook-files.ts';
import type { KeptHooks } from './kept-hooks.ts';
import type { SeenHookFile } from './look-at-hook-file.ts';

interface LookDeps {
	readonly workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>;
	readonly places: Pick<PlacesPort, 'userHome'>;
	readonly kept: Pick<KeptHooks, 'hashOf'>;
	/** Returns the hooks of the enabled plugins; absent: there are none. */
	readonly plugins?: (() => Promise<readonly HooksOfPlugin[]>) | undefined;
}

/** Without files that hold no hooks. `isKeptIn`: asked only where there are any. Rejects with INVALID_STATE when it cannot be read what the user has agreed to. */
export async function seenHookFiles(
	{ workspace, places, kept, plugins }: LookDeps,
	isKeptIn: () => Promise<boolean>,
): Promise<{ readonly files: readonly SeenHookFile[]; readonly problems: readonly string[] }> {
	const { files, hasMore } = hookFiles(places, workspace, (await plugins?.()) ?? []);
	const seen: SeenHookFile[] = [];
	for (const file of files) {
		const isThere = await lstat(file.path).then(
			() => true,
			(error: unknown) => findErrno(error) !== 'ENOENT',
		);
		if (!isThere) continue;
		const { lookAtHookFile } = await import('./look-at-hook-file.ts');
		const found = await lookAtHookFile(file, kept, isKeptIn);
		if (found !== undefined) seen.push(found);
	}
	return { files: seen, problems: hasMore };
}
