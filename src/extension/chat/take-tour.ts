/** The tour: a script on the sample project. Where another project is open, a copy of the sample opens in a window of its own. */
import * as vscode from 'vscode';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import type { ChatView } from './chat-view.ts';
import { readWorkspaceState } from '../shown/workspace-state.ts';

interface TourPorts {
	readonly extensionUri: vscode.Uri;
	readonly storageUri: vscode.Uri;
	readonly workspace: WorkspacePort;
	readonly chat: Pick<ChatView, 'takeTour'>;
}

export async function takeTour({ extensionUri, storageUri, workspace, chat }: TourPorts): Promise<void> {
	if ((await readWorkspaceState(workspace)).isSample) {
		await chat.takeTour();
		return;
	}
	// Overwrites the copy, because the tour before this one has mended it. No work of the user is in it.
	const copy = vscode.Uri.joinPath(storageUri, 'tour', 'prowess-sample');
	await vscode.workspace.fs.copy(vscode.Uri.joinPath(extensionUri, 'examples', 'sample'), copy, { overwrite: true });
	await vscode.commands.executeCommand('vscode.openFolder', copy, { forceNewWindow: workspace.folders.length > 0 });
}
