/** Folders and trust, as VS Code has them. Folders of other file systems than the disk are left out: nothing runs there. */
import { basename } from 'node:path';
import { userHomeFolder } from '../../machine/environment.ts';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { encodingLabel } from '../../base/text/encoding-label.ts';
import { worktreeOrigin } from '../../features/worktrees/worktree-origin.ts';
import { hasMcpFile } from '../../execution/mcp/configuration/configured-files.ts';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import type { WorkspaceInfo } from '../../protocol/server.ts';
import { namedFolders } from '../editor/workspace-paths.ts';

export function createWorkspacePort(home: string): WorkspacePort & Disposable {
	const store = new DisposableStore();
	const changed = store.add(new Emitter<void>());
	let folders = readFolders();
	// A worktree is opened alone; with another folder beside it, it is a folder like any other.
	const [only] = folders.length === 1 ? folders : [];
	const found = only === undefined ? undefined : worktreeOrigin(home, only.path);
	const origin = found && { name: basename(found.project), path: found.project };
	store.add(
		vscode.workspace.onDidChangeWorkspaceFolders(() => {
			folders = readFolders();
			changed.fire();
		}),
	);
	store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()));
	return {
		get folders() {
			return folders;
		},
		get isTrusted() {
			return vscode.workspace.isTrusted;
		},
		usualEncoding(absolutePath) {
			const files = vscode.workspace.getConfiguration('files', vscode.Uri.file(absolutePath));
			return encodingLabel(files.get('encoding', 'utf8'));
		},
		get origin() {
			return folders.length === 1 ? origin : undefined;
		},
		get linked() {
			return folders.length === 1 ? (found?.linked ?? []) : [];
		},
		onDidChange: changed.event,
		dispose: () => store.dispose(),
	};
}

export function workspaceInfo(workspace: WorkspacePort, home: string): WorkspaceInfo {
	return {
		folders: [...workspace.folders],
		trusted: workspace.isTrusted,
		platform: process.platform,
		hasMcpFile: hasMcpFile({ userHome: userHomeFolder(), home }, workspace),
	};
}

/** Path of a folder of the workspace that was moved, renamed or deleted while it is open; undefined: all are there. */
export async function findMissingFolder({ folders }: Pick<WorkspacePort, 'folders'>): Promise<string | undefined> {
	for (const { path } of folders) {
		try {
			await vscode.workspace.fs.stat(vscode.Uri.file(path));
		} catch (error) {
			if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') {
				return path;
			}
		}
	}
	return undefined;
}

function readFolders() {
	const onDisk = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
	return namedFolders(onDisk.map(({ name, uri }) => ({ name, path: uri.fsPath })));
}
