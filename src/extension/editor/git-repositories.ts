/** Interface to the editor's own Git extension: its repositories, and the input for the message of a commit. */
import * as vscode from 'vscode';
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import { extensionLimits } from './limits.ts';

export interface GitRepository {
	readonly rootUri: vscode.Uri;
	readonly inputBox: { value: string };
	readonly state: { readonly workingTreeChanges: readonly unknown[]; readonly indexChanges: readonly unknown[] };
	/** The newest first. Rejects where there is none yet. */
	log(options: {
		readonly maxEntries: number;
	}): Promise<readonly { readonly hash: string; readonly message: string }[]>;
}

interface GitExtension {
	getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

/** None where the editor's Git extension does not answer in time. */
async function listRepositories(): Promise<readonly GitRepository[]> {
	const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
	const git = await raceTimeout(Promise.resolve(extension?.activate()), extensionLimits.gitExtensionMs);
	return git?.getAPI(1).repositories ?? [];
}

/** Counts files with uncommitted changes. */
export async function countChanges(): Promise<number> {
	const repositories = await listRepositories();
	return repositories.reduce((sum, { state }) => sum + state.workingTreeChanges.length + state.indexChanges.length, 0);
}

/**
 * Returns the repository of the title that the command was called from; without one, that of the file in front, or the
 * first. Undefined: none exists.
 */
export async function gitRepository(sourceControl: unknown): Promise<GitRepository | undefined> {
	const repositories = await listRepositories();
	const asked = readRootUri(sourceControl);
	const shown = vscode.window.activeTextEditor?.document.uri;
	return (
		repositories.find(({ rootUri }) => rootUri.toString() === asked?.toString()) ??
		repositories
			.filter(({ rootUri }) => shown !== undefined && `${shown.path}/`.startsWith(`${rootUri.path}/`))
			.toSorted((a, b) => b.rootUri.path.length - a.rootUri.path.length)[0] ??
		repositories[0]
	);
}

function readRootUri(sourceControl: unknown): vscode.Uri | undefined {
	const { rootUri } = (sourceControl ?? {}) as Partial<vscode.SourceControl>;
	return rootUri instanceof vscode.Uri ? rootUri : undefined;
}
