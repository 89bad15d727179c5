/** Reads the workspace state that the page needs; `view/start` and each change tell it to the page. */
import * as vscode from 'vscode';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import type { WorkspaceState } from '../../protocol/pages/chat-view.ts';

/** The name in the manifest of the sample project, for which the tour is written. */
const SAMPLE = 'prowess-sample';

const MOST_MANIFEST_BYTES = 1_000_000;

export async function readWorkspaceState(workspace: WorkspacePort): Promise<WorkspaceState> {
	const [first] = workspace.folders;
	return {
		trusted: workspace.isTrusted,
		folders: workspace.folders.map(({ path }) => path),
		isSample: first !== undefined && workspace.isTrusted && (await isSampleProject(first.path)),
	};
}

async function isSampleProject(folder: string): Promise<boolean> {
	try {
		const path = vscode.Uri.joinPath(vscode.Uri.file(folder), 'package.json');
		const { type, size } = await vscode.workspace.fs.stat(path);
		// A link, a pipe or a device is read to no end.
		if (type !== vscode.FileType.File || size > MOST_MANIFEST_BYTES) return false;
		const bytes = await vscode.workspace.fs.readFile(path);
		const manifest: unknown = JSON.parse(new TextDecoder().decode(bytes));
		return typeof manifest === 'object' && manifest !== null && 'name' in manifest && manifest.name === SAMPLE;
	} catch {
		// No manifest, or none that can be read: then it is not the sample.
		return false;
	}
}
