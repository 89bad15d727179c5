/** Opens a file that the page names. The page shows what a model wrote, so what may lie outside of the workspace is asked about. */
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { orAborted } from '../../base/time/bounded-wait.ts';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { besideChat } from '../editor/beside-chat.ts';
import { askInDialog } from '../notices/notices.ts';
import { toAbsolutePath } from '../editor/workspace-paths.ts';

interface NamedFile {
	readonly path: string;
	/** From 1. */
	readonly line?: number | undefined;
}

/**
 * Shows the file in an editor, at its line. Rejects with PATH_OUTSIDE_WORKSPACE for a relative path that leaves the
 * workspace and for one of another machine, and with NOT_FOUND where there is no such file.
 */
export async function openNamedFile(
	workspace: Pick<WorkspacePort, 'folders'>,
	{ path, line }: NamedFile,
	signal: AbortSignal,
): Promise<void> {
	const inside = toAbsolutePath(workspace.folders, path);
	// The mere look at a path of another machine tells that machine who is here.
	const isElsewhere = /^[\\/]{2}/.test(path);
	const named = inside ?? (isAbsolute(path) && !isElsewhere ? path : undefined);
	if (named === undefined) {
		throw new ProwessError('PATH_OUTSIDE_WORKSPACE', `${path} is not in the workspace`, { path });
	}
	const file = vscode.Uri.file(named);
	if ((await orAborted(findFileType(file), signal)) === undefined) {
		throw new ProwessError('NOT_FOUND', `there is no file ${path}`, { path });
	}
	const question =
		inside === undefined
			? vscode.l10n.t('Open a file outside of this workspace?')
			: (await orAborted(isLinked(workspace, file), signal))
				? vscode.l10n.t('Open this file? A link leads to it, maybe out of this workspace.')
				: undefined;
	if (question !== undefined) {
		const open = vscode.l10n.t('Open');
		if ((await orAborted(askInDialog(question, [named], open), signal)) !== open) {
			return;
		}
	}
	const place = line === undefined ? {} : { selection: new vscode.Range(line - 1, 0, line - 1, 0) };
	await orAborted(
		vscode.commands.executeCommand('vscode.open', file, { preview: true, ...place, ...besideChat() }),
		signal,
	);
}

/** Undefined: there is nothing. */
async function findFileType(uri: vscode.Uri): Promise<vscode.FileType | undefined> {
	try {
		return (await vscode.workspace.fs.stat(uri)).type;
	} catch {
		return undefined;
	}
}

/** True when the file, or a folder between it and the folder of the workspace, is a symbolic link. */
async function isLinked({ folders }: Pick<WorkspacePort, 'folders'>, file: vscode.Uri): Promise<boolean> {
	const roots = new Set(folders.map(({ path }) => vscode.Uri.file(path).path));
	for (let at = file; !roots.has(at.path) && at.path !== '/'; at = vscode.Uri.joinPath(at, '..')) {
		const type = (await findFileType(at)) ?? vscode.FileType.Unknown;
		if ((type & vscode.FileType.SymbolicLink) !== 0) {
			return true;
		}
	}
	return false;
}
