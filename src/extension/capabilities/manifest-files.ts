/**
 * Manifests in the editor: the language service of the server is told of them, and starts when one is opened; *Run* stands
 * above the name.
 */
import * as vscode from 'vscode';

export const capabilityFiles = { scheme: 'file', pattern: '**/capability.{yaml,yml}' } as const;

export const manifestFiles: readonly { readonly scheme: string; readonly pattern: string }[] = [
	capabilityFiles,
	{ scheme: 'file', pattern: '**/executor.{yaml,yml}' },
	{ scheme: 'file', pattern: '**/SKILL.md' },
];

/** Calls `act` for each manifest that is or comes open in a trusted workspace. */
export function onManifest(act: () => void): vscode.Disposable {
	const checkForManifest = (documents: readonly vscode.TextDocument[]) => {
		if (vscode.workspace.isTrusted && documents.some(isManifest)) {
			act();
		}
	};
	checkForManifest(vscode.workspace.textDocuments);
	return vscode.Disposable.from(
		vscode.workspace.onDidOpenTextDocument((document) => checkForManifest([document])),
		vscode.workspace.onDidGrantWorkspaceTrust(() => checkForManifest(vscode.workspace.textDocuments)),
	);
}

/** Asked for each document that is opened, so by its name alone. */
function isManifest({ uri }: vscode.TextDocument): boolean {
	return uri.scheme === 'file' && /\/(?:(?:capability|executor)\.ya?ml|SKILL\.md)$/.test(uri.path);
}

/** *Run* above the name in a capability.yaml. Knows nothing but the text: what runs is found when it is clicked. */
export const runLens: vscode.CodeLensProvider = {
	provideCodeLenses(document) {
		if (!vscode.workspace.isTrusted) {
			return [];
		}
		const line = document
			.getText()
			.split('\n', 50)
			.findIndex((text) => text.startsWith('name:'));
		const range = new vscode.Range(Math.max(0, line), 0, Math.max(0, line), 0);
		const folder = { kind: 'folder', path: vscode.Uri.joinPath(document.uri, '..').fsPath };
		return [
			new vscode.CodeLens(range, {
				command: 'prowess.runCapability',
				title: `$(play) ${vscode.l10n.t('Run')}`,
				arguments: [folder],
			}),
		];
	},
};

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
