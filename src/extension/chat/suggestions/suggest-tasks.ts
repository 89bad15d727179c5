/**
 * Tasks that fit what this project holds at the moment, for an empty thread: from what the editor knows, and a short look at
 * files. No model is asked, nothing runs, and the look ends at its time limit.
 */
import * as vscode from 'vscode';
import type { WorkspacePort } from '../../../contract/ports/ports.ts';
import { countChanges } from '../../editor/git-repositories.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { toWorkspacePath } from '../../editor/workspace-paths.ts';

export interface SuggestedTask {
	/** Name of a codicon. */
	readonly icon: string;
	/** Message that the task is, in the user's language. */
	readonly text: string;
}

const MAX_TASKS = 4;
/** Folders that hold what others wrote, or what was built. */
const NOT_LOOKED_INTO = '**/{node_modules,dist,out,build,target,vendor,coverage,.git,.venv}/**';
/** Endings of files in which such a comment may stand. */
const CODE_ENDINGS =
	/\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|cs|cpp|cc|c|h|hpp|rb|php|swift|scala|sh|sql|vue|svelte|html|css|scss|lua|exs?|dart)$/i;
const TEST_MARKS = ['pyproject.toml', 'Cargo.toml', 'go.mod'];

/** The first ones are the most pressing. Gives none before the workspace is trusted; what cannot be read is left out. */
export async function suggestTasks(workspace: WorkspacePort, signal: AbortSignal): Promise<SuggestedTask[]> {
	if (!workspace.isTrusted || workspace.folders.length === 0) return [];
	const { t } = vscode.l10n;
	const until = AbortSignal.any([signal, AbortSignal.timeout(extensionLimits.suggestTasksMs)]);
	const [changes, marker, hasTests] = await Promise.all([
		countChanges().catch(() => 0),
		findMarkedLine(workspace, until).catch(() => undefined),
		findTests(workspace, until).catch(() => false),
	]);
	const broken = findBrokenFile(workspace);
	return [
		...(broken === undefined ? [] : [{ icon: 'error', text: t('Fix the errors in {0}', broken) }]),
		...(changes === 0 ? [] : [{ icon: 'git-compare', text: t('Review my uncommitted changes') }]),
		...(marker === undefined ? [] : [{ icon: 'checklist', text: t('Do what the TODO at {0} says', marker) }]),
		...(hasTests ? [{ icon: 'beaker', text: t('Run the tests and fix what fails') }] : []),
		{ icon: 'map', text: t('Explain how this project is structured') },
	].slice(0, MAX_TASKS);
}

/** File in which the editor finds errors now; the one with the most. */
function findBrokenFile({ folders }: WorkspacePort): string | undefined {
	const counts = vscode.languages.getDiagnostics().flatMap(([uri, found]) => {
		const path = uri.scheme === 'file' ? toWorkspacePath(folders, uri.fsPath) : undefined;
		const errors = found.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error).length;
		return path === undefined || errors === 0 ? [] : [{ path, errors }];
	});
	return counts.toSorted((a, b) => b.errors - a.errors)[0]?.path;
}

/** Place of a comment that says TODO or FIXME, among the first files of code. */
async function findMarkedLine({ folders }: WorkspacePort, signal: AbortSignal): Promise<string | undefined> {
	const found = await vscode.workspace.findFiles('**/*.*', NOT_LOOKED_INTO, extensionLimits.suggestTaskFiles);
	for (const uri of found
		.filter(({ path }) => CODE_ENDINGS.test(path))
		.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
		if (signal.aborted) return undefined;
		const { size } = await vscode.workspace.fs.stat(uri);
		if (size > extensionLimits.suggestTaskFileBytes) continue;
		const lines = Buffer.from(await vscode.workspace.fs.readFile(uri))
			.toString('utf8')
			.split('\n');
		const at = lines.findIndex((line) => /(?:\/\/|#|\/\*|\*|--|<!--)\s*(?:TODO|FIXME)\b/.test(line));
		const path = at === -1 ? undefined : toWorkspacePath(folders, uri.fsPath);
		if (path !== undefined) return `${path}:${at + 1}`;
	}
	return undefined;
}

/** True when a manifest at the top says how tests run. */
async function findTests({ folders }: WorkspacePort, signal: AbortSignal): Promise<boolean> {
	for (const { path } of folders) {
		if (signal.aborted) return false;
		const folder = vscode.Uri.file(path);
		const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
		if (TEST_MARKS.some((mark) => names.includes(mark))) return true;
		if (names.includes('package.json')) {
			const text = Buffer.from(
				await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'package.json')),
			).toString();
			if (/"scripts"\s*:\s*\{[^}]*"test"\s*:/.test(text)) return true;
		}
	}
	return false;
}
