/** The latest commits of the repository of the file in front, for suggestions after `@`. */
import * as vscode from 'vscode';
import { extensionLimits } from '../../editor/limits.ts';
import { gitRepository } from '../../source-control/git-repositories.ts';
import { toMatchable } from './match.ts';
import type { NamedSuggestion } from './suggestion.ts';

/** Below every file that fits as well. */
const COMMIT_BONUS = -20;

/** Newest first. Rejects without Git and without a commit. */
export async function latestCommits(): Promise<NamedSuggestion[]> {
	const repository = await gitRepository(undefined);
	const commits = (await repository?.log({ maxEntries: extensionLimits.completionCommits })) ?? [];
	return commits.map(({ hash, message }) => {
		const short = hash.slice(0, 8);
		const subject = (message.split('\n', 1)[0] ?? '').slice(0, extensionLimits.commitSubjectCharacters);
		const ref = { kind: 'commit', hash, subject } as const;
		const suggestion = { ref, label: `${vscode.l10n.t('commit')} ${short}`, detail: subject };
		return { ...toMatchable(`commit ${short} ${subject.replaceAll('/', ' ')}`), bonus: COMMIT_BONUS, suggestion };
	});
}
