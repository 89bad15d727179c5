/**
 * Tasks that fit what this project holds at the moment, for an empty thread: from what the editor knows, and a short look at
 * files. No model is asked, nothing runs, and the look ends at its time limit.
 */
import * as vscode from 'vscode';
import { orAborted } from '../../../base/time/bounded-wait.ts';
import type { WorkspacePort } from '../../../contract/ports/ports.ts';
import { countChanges } from '../../editor/git-repositories.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { withToken } from '../../editor/signals.ts';
import { toWorkspacePath } from '../../editor/workspace-paths.ts';
import { findMarkedLine, hasTests } from './project-signs.ts';

export interface SuggestedTask {
	/** Name of a codicon. */
	readonly icon: string;
	/** Message that the task is, in the user's language. */
	readonly text: string;
}

const MAX_TASKS = 4;
/** Folders that hold what others wrote, or what was built. */
const NOT_LOOKED_INTO = '**/{node_modules,dist,out,build,target,vendor,coverage,.git,.venv}/**';
/** Files in which a comment may say that something is to do. */
const CODE_FILES =
	'**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,py,go,rs,java,kt,cs,cpp,cc,c,h,hpp,rb,php,swift,scala,sh,sql,vue,svelte,html,css,scss,lua,ex,exs,dart}';

/** The first ones are the most pressing. Gives none before the workspace is trusted; what cannot be read is left out. */
export async function suggestTasks(workspace: WorkspacePort, signal: AbortSignal): Promise<SuggestedTask[]> {
	if (!workspace.isTrusted || workspace.folders.length === 0) return [];
	const { t } = vscode.l10n;
	const until = AbortSignal.any([signal, AbortSignal.timeout(extensionLimits.suggestTasksMs)]);
	const tested = Promise.all(workspace.folders.map(({ path }) => hasTests(path)));
	const [changes, marker, tests] = await Promise.all([
		orAborted(countChanges(), until).catch(() => 0),
		orAborted(findMarkedPlace(workspace, until), until).catch(() => undefined),
		orAborted(tested, until).catch((): boolean[] => []),
	]);
	const broken = findBrokenFile(workspace);
	return [
		...(broken === undefined ? [] : [{ icon: 'error', text: t('Fix the errors in {0}', broken) }]),
		...(changes === 0 ? [] : [{ icon: 'git-compare', text: t('Review my uncommitted changes') }]),
		...(marker === undefined ? [] : [{ icon: 'checklist', text: t('Do what the TODO at {0} says', marker) }]),
		...(tests.includes(true) ? [{ icon: 'beaker', text: t('Run the tests and fix what fails') }] : []),
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

/** Place of a comment that says that something is to do, among the first files of code. */
async function findMarkedPlace({ folders }: WorkspacePort, signal: AbortSignal): Promise<string | undefined> {
	const found = await withToken(signal, (token) =>
		vscode.workspace.findFiles(CODE_FILES, NOT_LOOKED_INTO, extensionLimits.suggestTaskFiles, token),
	);
	const files = found
		.toSorted((a, b) => (a.path < b.path ? -1 : 1))
		.flatMap((uri) => {
			const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
			return folder === undefined ? [] : [{ path: uri.fsPath, folder }];
		});
	const marked = await findMarkedLine(files, signal);
	const path = marked === undefined ? undefined : toWorkspacePath(folders, marked.path);
	return path === undefined ? undefined : `${path}:${marked?.line}`;
}
