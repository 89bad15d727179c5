/**
 * Tasks that fit what this project holds at the moment, for an empty thread: from what the editor knows, and a short look at
 * files. No model is asked, nothing runs, and the look ends at its time limit.
 */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { orAborted } from '../../../base/time/bounded-wait.ts';
import type { WorkspacePort } from '../../../contract/ports/ports.ts';
import type { SuggestedTask } from '../../../protocol/pages/chat-view.ts';
import { countChanges } from '../../editor/git-repositories.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { withToken } from '../../editor/signals.ts';
import { toWorkspacePath } from '../../editor/workspace-paths.ts';
import { findMarkedLine, hasTests } from './project-signs.ts';

const MAX_TASKS = 4;
/** Folders that hold what others wrote, or what was built. */
const NOT_LOOKED_INTO = '**/{node_modules,dist,out,build,target,vendor,coverage,.git,.venv}/**';
/** Files in which a comment may say that something is to do. */
const CODE_FILES =
	'**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,py,go,rs,java,kt,cs,cpp,cc,c,h,hpp,rb,php,swift,scala,sh,sql,vue,svelte,html,css,scss,lua,ex,exs,dart}';

/** Window in which the code index was offered in this workspace. */
const OFFERED_KEY = 'prowess.codeIndexOffered';
/** Name of this window's life. Builds of VS Code without telemetry have the same session id every time. */
const THIS_WINDOW = randomUUID();

/** The first ones are the most pressing. Gives none before the workspace is trusted; what cannot be read is left out. */
export async function suggestTasks(
	workspace: WorkspacePort,
	kept: Pick<vscode.Memento, 'get' | 'update'>,
	signal: AbortSignal,
): Promise<SuggestedTask[]> {
	if (!workspace.isTrusted || workspace.folders.length === 0) return [];
	const { t } = vscode.l10n;
	const until = AbortSignal.any([signal, AbortSignal.timeout(extensionLimits.suggestTasksMs)]);
	const tested = Promise.all(workspace.folders.map(({ path }) => hasTests(path)));
	const files = listCodeFiles(until);
	const [changes, marker, tests, isIndexOffered] = await Promise.all([
		orAborted(countChanges(), until).catch(() => 0),
		orAborted(findMarkedPlace(workspace, files, until), until).catch(() => undefined),
		orAborted(tested, until).catch((): boolean[] => []),
		orAborted(offerCodeIndex(files, kept), until).catch(() => false),
	]);
	const broken = findBrokenFile(workspace);
	const offered: SuggestedTask[] = isIndexOffered
		? [{ icon: 'search', text: t('Turn on the code index, which finds code by what it does'), turnsOnCodeIndex: true }]
		: [];
	const tasks: SuggestedTask[] = [
		...(broken === undefined ? [] : [{ icon: 'error', text: t('Fix the errors in {0}', broken) }]),
		...(changes === 0 ? [] : [{ icon: 'git-compare', text: t('Review my uncommitted changes') }]),
		...(marker === undefined ? [] : [{ icon: 'checklist', text: t('Do what the TODO at {0} says', marker) }]),
		...(tests.includes(true) ? [{ icon: 'beaker', text: t('Run the tests and fix what fails') }] : []),
		{ icon: 'map', text: t('Explain how this project is structured') },
	];
	return [...tasks.slice(0, MAX_TASKS - offered.length), ...offered];
}

/**
 * Returns true where the code index is to be offered: in a workspace that is large enough for it, as long as the window stays
 * open after the first offer, and to nobody who has turned it on or off.
 */
async function offerCodeIndex(
	files: Promise<readonly vscode.Uri[]>,
	kept: Pick<vscode.Memento, 'get' | 'update'>,
): Promise<boolean> {
	const offered = kept.get(OFFERED_KEY);
	const chosen = vscode.workspace.getConfiguration('prowess.search').inspect('codeIndex')?.globalValue;
	if (chosen !== undefined || (offered !== undefined && offered !== THIS_WINDOW)) return false;
	if ((await files).length < extensionLimits.codeIndexPaysFiles) return false;
	if (offered === undefined) await kept.update(OFFERED_KEY, THIS_WINDOW);
	return true;
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

/** No more than it takes to know that there are many. */
async function listCodeFiles(signal: AbortSignal): Promise<readonly vscode.Uri[]> {
	return await withToken(signal, (token) =>
		vscode.workspace.findFiles(CODE_FILES, NOT_LOOKED_INTO, extensionLimits.codeIndexPaysFiles, token),
	);
}

/** Place of a comment that says that something is to do, among the first files of code. */
async function findMarkedPlace(
	{ folders }: WorkspacePort,
	found: Promise<readonly vscode.Uri[]>,
	signal: AbortSignal,
): Promise<string | undefined> {
	const files = (await found)
		.toSorted((a, b) => (a.path < b.path ? -1 : 1))
		.slice(0, extensionLimits.suggestTaskFiles)
		.flatMap((uri) => {
			const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
			return folder === undefined ? [] : [{ path: uri.fsPath, folder }];
		});
	const marked = await findMarkedLine(files, signal);
	const path = marked === undefined ? undefined : toWorkspacePath(folders, marked.path);
	return path === undefined ? undefined : `${path}:${marked?.line}`;
}
