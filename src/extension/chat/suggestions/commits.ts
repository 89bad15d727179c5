/** The latest commits of the repository of the file in front, for suggestions after `@`. */
import * as vscode from 'vscode';
import { limits } from '../../editor/limits.ts';
import { gitRepository } from '../../source-control/git-repositories.ts';
import { matchable } from './match.ts';
import type { NamedSuggestion } from './suggestion.ts';

/** Below every file that fits as well. */
const BONUS = -20;

/** Newest first. Rejects without Git and without a commit. */
export async function latestCommits(): Promise<NamedSuggestion[]> {
	const repository = await gitRepository(undefined);
	const commits = (await repository?.log({ maxEntries: limits.completionCommits })) ?? [];
	return commits.map(({ hash, message }) => {
		const short = hash.slice(0, 8);
		const subject = (message.split('\n', 1)[0] ?? '').slice(0, limits.commitSubjectCharacters);
		const ref = { kind: 'commit', hash, subject } as const;
		const suggestion = { ref, label: `${vscode.l10n.t('commit')} ${short}`, detail: subject };
		return { ...matchable(`commit ${short} ${subject.replaceAll('/', ' ')}`), bonus: BONUS, suggestion };
	});
}
