/**
 * Files outside of the workspace that a command reads or writes in the place of its streams. The user is asked about
 * each by its path, and the host opens it. Files in `/tmp` are the command's own where its sandbox has such a folder;
 * nobody is asked about them.
 */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { Redirect } from '../../protocol/ops/commands/redirect.ts';
import type { Located, WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import { type BeyondTarget, type NeedsPlaces, targetBeyond } from './command-needs.ts';
import { openStreamFile } from './open-stream-file.ts';
import { isOwnTemporary } from './own-temporary.ts';

type StreamRedirect = Extract<Redirect, { path: string }>;

export interface OutsidePlaces extends Pick<NeedsPlaces, 'userHome' | 'home'> {
	/** True when the command has a `/tmp` of its own. */
	readonly hasOwnTemporary: boolean;
}

/** A file of the workspace by its path in it, one outside of it, or one in the command's own `/tmp` by its path there. */
export type StreamPlace =
	| { readonly kind: 'workspace'; readonly path: string }
	| { readonly kind: 'outside'; readonly target: BeyondTarget }
	| { readonly kind: 'own'; readonly path: string };

/** Rejects with PATH_OUTSIDE_WORKSPACE for what no command may reach. */
export async function placeOfStream(
	{ path, mode }: StreamRedirect,
	cwd: Located,
	paths: WorkspacePaths,
	places: OutsidePlaces,
): Promise<StreamPlace> {
	const { userHome, home, hasOwnTemporary } = places;
	const named = path.startsWith('~/')
		? join(userHome, path.slice(2))
		: isAbsolute(path)
			? path
			: join(cwd.absolutePath, path);
	if (paths.toWorkspacePath(named) !== undefined) {
		return { kind: 'workspace', path: named };
	}
	if (hasOwnTemporary && isOwnTemporary(path, { paths, userHome, home })) {
		return { kind: 'own', path: relative(path.startsWith('/var/') ? '/var/tmp' : '/tmp', path) };
	}
	const workspace = paths.folders.map((folder) => folder.path);
	const access = mode === 'read' ? 'read' : 'write';
	const target = await targetBeyond(named, access, { cwd: cwd.realPath, userHome, home, workspace });
	return 'reachable' in target
		? { kind: 'workspace', path: target.reachable }
		: { kind: 'outside', target: { ...target, isStream: true } };
}

/** `own`: where the host finds the command's `/tmp`. Rejects with FILE_CHANGED when something else is there now. */
export async function openOutside(
	place: Exclude<StreamPlace, { kind: 'workspace' }>,
	{ mode, path: shown }: StreamRedirect,
	own: string | undefined,
): Promise<FileHandle> {
	const append = mode === 'append' ? constants.O_APPEND : 0;
	const access = mode === 'read' ? constants.O_RDONLY : constants.O_WRONLY | constants.O_CREAT | append;
	if (place.kind === 'outside') {
		const { path } = place.target;
		return await openStreamFile({ realRoot: dirname(path), realPath: path, shown }, access);
	}
	if (own === undefined) {
		throw new ProwessError('INVALID_STATE', `${shown} is for a command in its sandbox, and it has none`, {});
	}
	return await openStreamFile({ realRoot: own, realPath: join(own, place.path), shown }, access);
}
