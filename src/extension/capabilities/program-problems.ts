/**
 * Problems of the programs of capabilities, shown at their lines while they are typed: what `validate` finds, in the text
 * that is open, and nothing before the workspace is trusted.
 */
import * as vscode from 'vscode';
import { inspectFolder } from '../../catalog/registry/reading/inspect-folder.ts';
import type { CapabilityFiles } from '../../catalog/capability-files.ts';
import type { SourceCheckPorts } from '../../execution/processes/workers/check-source.ts';
import type { ManifestProblem } from '../../protocol/manifest/problem.ts';
import { translateText } from '../../protocol/text/text.ts';

export class ProgramProblems {
	readonly #shown = vscode.languages.createDiagnosticCollection('prowess-programs');
	readonly #dist: string;
	/** Folders that are looked at now, with whether their text has changed meanwhile. */
	readonly #looking = new Map<string, { isOutdated: boolean }>();

	constructor(dist: string) {
		this.#dist = dist;
	}

	/** Looks at the programs in a folder of a capability, the newest text last; never two looks at one folder at once. */
	async look(folder: string): Promise<void> {
		const running = this.#looking.get(folder);
		if (running !== undefined) {
			running.isOutdated = true;
			return;
		}
		const look = { isOutdated: true };
		this.#looking.set(folder, look);
		try {
			while (look.isOutdated) {
				look.isOutdated = false;
				this.#show(folder, await this.#find(folder));
			}
		} finally {
			this.#looking.delete(folder);
		}
	}

	dispose(): void {
		this.#shown.dispose();
	}

	async #find(folder: string): Promise<readonly ManifestProblem[]> {
		const { checkSources } = await import('../../execution/processes/workers/check-source.ts');
		const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
		const ports: SourceCheckPorts = { dist: this.#dist, folders };
		let found: readonly ManifestProblem[] = [];
		// The server tells of the manifest itself.
		await inspectFolder(folder, false, undefined, async (manifest, files) => {
			found = await checkSources(manifest, withOpenTexts(folder, files), ports);
			return [];
		}).catch(() => undefined);
		return found;
	}

	/** In place of what was shown of this folder before. */
	#show(folder: string, problems: readonly ManifestProblem[]): void {
		const root = vscode.Uri.file(folder).path;
		this.#shown.forEach((uri) => {
			if (uri.path.startsWith(`${root}/`)) this.#shown.delete(uri);
		});
		for (const [file, some] of Map.groupBy(problems, (problem) => problem.file)) {
			this.#shown.set(vscode.Uri.joinPath(vscode.Uri.file(folder), file), some.map(toDiagnostic));
		}
	}
}

/** Texts of the editor go before those on the disk, which are older. */
function withOpenTexts(folder: string, files: CapabilityFiles['files']): CapabilityFiles['files'] {
	const open = new Map(vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]));
	return files.map((file) => {
		const document = open.get(vscode.Uri.joinPath(vscode.Uri.file(folder), file.path).toString());
		return document?.isDirty === true ? { path: file.path, bytes: Buffer.from(document.getText()) } : file;
	});
}

/** To the end of the line; the editor marks as much of it as there is. */
function toDiagnostic({ line, column, severity, message, said }: ManifestProblem): vscode.Diagnostic {
	const words = said === undefined ? message : translateText(said, (template) => vscode.l10n.t(template));
	const range = new vscode.Range(line - 1, column - 1, line - 1, Number.MAX_SAFE_INTEGER);
	const { Error, Warning } = vscode.DiagnosticSeverity;
	const diagnostic = new vscode.Diagnostic(range, words, severity === 'error' ? Error : Warning);
	diagnostic.source = 'prowess';
	return diagnostic;
}
