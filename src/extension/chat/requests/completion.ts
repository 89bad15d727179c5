/** Suggestions after `@`: open editors, the selection and the problems first, then files and folders of the workspace. */
import * as vscode from 'vscode';
import type { WorkspacePort } from '../../../capability-host/contract/ports.ts';
import { type ContextRef, contextLabel } from '../../../protocol/thread/context.ts';
import { limits } from '../../limits.ts';
import { withToken } from '../../server/signals.ts';
import { toWorkspacePath } from '../../workspace-paths.ts';
import { type Candidate, rankSuggestions } from './rank-suggestions.ts';
import { selectionRef } from '../shown/selection.ts';

interface Suggestion {
	readonly ref: ContextRef;
	readonly label: string;
	readonly detail: string;
}

export class Completion {
	readonly #workspace: WorkspacePort;
	#listed: { readonly at: number; readonly files: Promise<readonly string[]> } | undefined;

	constructor(workspace: WorkspacePort) {
		this.#workspace = workspace;
	}

	async complete(query: string, signal: AbortSignal): Promise<Suggestion[]> {
		const files = await this.#files(signal);
		signal.throwIfAborted();
		const open = openPaths(this.#workspace);
		const folders = foldersOf(files);
		const named = this.#named();
		const candidates = [
			...named,
			...[...new Set([...open, ...files])].map((path) => candidate({ kind: 'file', path }, open.has(path) ? 50 : 0)),
			...folders.map((path) => candidate({ kind: 'folder', path }, query.endsWith('/') ? 5 : -5)),
		];
		return rankSuggestions(query, candidates, limits.completions);
	}

	#named(): Candidate<Suggestion>[] {
		const selection = selectionRef(this.#workspace);
		const problems: Suggestion = {
			ref: { kind: 'problems' },
			label: vscode.l10n.t('problems'),
			detail: vscode.l10n.t('Errors and warnings of the workspace'),
		};
		const changes: Suggestion = {
			ref: { kind: 'changes' },
			label: vscode.l10n.t('changes'),
			detail: vscode.l10n.t('Uncommitted changes, as a diff'),
		};
		return [
			...(selection === undefined
				? []
				: [
						{
							value: { ref: selection, label: vscode.l10n.t('selection'), detail: contextLabel(selection) },
							text: 'selection',
							bonus: 60,
						},
					]),
			{ value: problems, text: 'problems', bonus: 40 },
			{ value: changes, text: 'changes', bonus: 35 },
		];
	}

	/** Listed once for a few seconds of typing. */
	async #files(signal: AbortSignal): Promise<readonly string[]> {
		const now = performance.now();
		if (this.#listed === undefined || now - this.#listed.at > limits.completionCacheMs) {
			const files = this.#list();
			this.#listed = { at: now, files };
			files.catch(() => {
				this.#listed = undefined;
			});
		}
		const { files } = this.#listed;
		return withToken(signal, () => files);
	}

	async #list(): Promise<readonly string[]> {
		const found = await vscode.workspace.findFiles('**/*', '**/node_modules/**', limits.completionFiles);
		return found.flatMap(({ scheme, fsPath }) => {
			const path = scheme === 'file' ? toWorkspacePath(this.#workspace.folders, fsPath) : undefined;
			return path === undefined ? [] : [path];
		});
	}
}

function candidate(ref: ContextRef & { path: string }, bonus: number): Candidate<Suggestion> {
	const end = ref.path.lastIndexOf('/');
	const name = ref.path.slice(end + 1);
	const label = ref.kind === 'folder' ? `${name}/` : name;
	return { value: { ref, label, detail: ref.path.slice(0, Math.max(0, end)) }, text: contextLabel(ref), bonus };
}

function openPaths(workspace: WorkspacePort): Set<string> {
	const paths = new Set<string>();
	for (const { tabs } of vscode.window.tabGroups.all) {
		for (const { input } of tabs) {
			if (input instanceof vscode.TabInputText && input.uri.scheme === 'file') {
				const path = toWorkspacePath(workspace.folders, input.uri.fsPath);
				if (path !== undefined) {
					paths.add(path);
				}
			}
		}
	}
	return paths;
}

function foldersOf(files: readonly string[]): string[] {
	const folders = new Set<string>();
	for (const file of files) {
		for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
			folders.add(file.slice(0, end));
		}
	}
	return [...folders];
}
