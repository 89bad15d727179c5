/** Files of capabilities in the editor, and what wakes with them: the language service of the server, checks and cases. */
import * as vscode from 'vscode';

export const capabilityFiles = { scheme: 'file', pattern: '**/capability.{yaml,yml}' } as const;

export const manifestFiles: readonly { readonly scheme: string; readonly pattern: string }[] = [
	capabilityFiles,
	{ scheme: 'file', pattern: '**/executor.{yaml,yml}' },
	{ scheme: 'file', pattern: '**/SKILL.md' },
];

/** Each beside the manifest of a capability. */
export const caseFiles = { scheme: 'file', pattern: '**/tests/*.{yaml,yml}' } as const;

const NAMED_AS_MANIFEST = /\/(?:(?:capability|executor)\.ya?ml|SKILL\.md)$/;

/** Calls `act` for each manifest that is or comes open in a trusted workspace. */
export const onManifest = (act: () => void) => onFile(NAMED_AS_MANIFEST, act);

/** Folders and files: of a folder that comes whole, the editor tells the outermost alone. */
export const projectCapabilities = '**/{.prowess,.prowess/capabilities,.prowess/capabilities/**}';

/** Calls `act` when a trusted workspace is seen to hold capabilities: in their folder, or when a manifest or a case comes open. */
export function onCapabilities(act: () => void): vscode.Disposable {
	const checkFolders = () => {
		if (!vscode.workspace.isTrusted) return;
		for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
			vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, '.prowess/capabilities')).then(act, () => {});
		}
	};
	checkFolders();
	const watcher = vscode.workspace.createFileSystemWatcher(projectCapabilities, false, true, true);
	return vscode.Disposable.from(
		watcher,
		watcher.onDidCreate(checkFolders),
		vscode.workspace.onDidGrantWorkspaceTrust(checkFolders),
		onFile(/\/(?:capability\.ya?ml|SKILL\.md|capabilities\/[^/]+\/[^/]+\/tests\/[^/]+\.ya?ml)$/, act),
	);
}

/** Documents are known by their paths alone, because each that is opened is looked at. */
function onFile(path: RegExp, act: () => void): vscode.Disposable {
	const checkPaths = (documents: readonly vscode.TextDocument[]) => {
		if (vscode.workspace.isTrusted && documents.some(({ uri }) => uri.scheme === 'file' && path.test(uri.path))) {
			act();
		}
	};
	checkPaths(vscode.workspace.textDocuments);
	return vscode.Disposable.from(
		vscode.workspace.onDidOpenTextDocument((document) => checkPaths([document])),
		vscode.workspace.onDidGrantWorkspaceTrust(() => checkPaths(vscode.workspace.textDocuments)),
	);
}

/** Programs in the folder of a capability, and that folder: `…/capabilities/<type>/<name>`. */
const PROGRAM = /^(.*\/capabilities\/[^/]+\/[^/]+)\/(?:.*\/)?[^/]+\.(?:py|[cm]?[jt]s)$/;

/** Calls `look` with the folder of a capability when a program of it comes open or has changed and rests, in a trusted workspace. */
export function onProgram(restMs: number, look: (folder: string) => void): vscode.Disposable {
	const resting = new Map<string, NodeJS.Timeout>();
	const noteProgram = ({ uri }: vscode.TextDocument, afterMs: number) => {
		const folder = uri.scheme === 'file' && vscode.workspace.isTrusted ? PROGRAM.exec(uri.path)?.[1] : undefined;
		if (folder === undefined || uri.path.includes('/node_modules/')) return;
		clearTimeout(resting.get(folder));
		resting.set(
			folder,
			setTimeout(() => {
				resting.delete(folder);
				look(uri.with({ path: folder }).fsPath);
			}, afterMs),
		);
	};
	for (const document of vscode.workspace.textDocuments) noteProgram(document, 0);
	return vscode.Disposable.from(
		vscode.workspace.onDidOpenTextDocument((document) => noteProgram(document, 0)),
		vscode.workspace.onDidChangeTextDocument(({ document }) => noteProgram(document, restMs)),
		vscode.workspace.onDidSaveTextDocument((document) => noteProgram(document, 0)),
		vscode.workspace.onDidGrantWorkspaceTrust(() =>
			vscode.workspace.textDocuments.forEach((each) => noteProgram(each, 0)),
		),
		{
			dispose() {
				for (const timer of resting.values()) clearTimeout(timer);
			},
		},
	);
}
