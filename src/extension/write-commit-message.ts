/** Has the model write the message of a commit, into the input of the source control view. Commits nothing. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../host/trusted-base.ts';
import { inform, withProgress } from './notices/notices.ts';
import { type GitRepository, gitRepository } from './editor/git-repositories.ts';

/** For the manner in which this project writes its titles. */
const READ_TITLES = 10;

export async function fillCommitMessage(
	base: () => Promise<Pick<TrustedBase, 'writeCommitMessage'>>,
	sourceControl: unknown,
): Promise<void> {
	const repository = await gitRepository(sourceControl);
	if (repository === undefined) {
		inform(vscode.l10n.t('There is no Git repository in this window.'));
		return;
	}
	const begun = repository.inputBox.value;
	const text = await withProgress(vscode.l10n.t('Writing a commit message'), async (signal) => {
		const recentTitles = await readRecentTitles(repository);
		const request = { ...toWorkspacePlace(repository), recentTitles, begun };
		return await (await base()).writeCommitMessage(request, signal);
	});
	repository.inputBox.value = text;
	if (begun.trim() !== '') {
		await offerBack(repository, begun);
	}
}

async function readRecentTitles(repository: GitRepository): Promise<readonly string[]> {
	try {
		const commits = await repository.log({ maxEntries: READ_TITLES });
		return commits.map(({ message }) => message.split('\n', 1)[0] ?? '');
	} catch {
		// The repository has no commit yet.
		return [];
	}
}

/** A repository whose root lies above the workspace is read as far as the workspace reaches. */
function toWorkspacePlace({ rootUri }: GitRepository): { readonly path?: string } {
	const isOurs = vscode.workspace.getWorkspaceFolder(rootUri) !== undefined;
	return isOurs ? { path: rootUri.fsPath } : {};
}

/** Offers to put the user's own text back, so that it is not lost. */
async function offerBack(repository: GitRepository, begun: string): Promise<void> {
	const back = vscode.l10n.t('Put Back');
	const text = vscode.l10n.t('The commit message was written anew, with yours as its beginning.');
	if ((await inform(text, back)) === back) {
		repository.inputBox.value = begun;
	}
}
