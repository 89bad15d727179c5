/** Suggestions after `@#`: symbols of the workspace, as the editor's language extensions find them. */
import * as vscode from 'vscode';
import type { WorkspacePort } from '../../../contract/ports/ports.ts';
import { orAborted } from '../../../base/time/or-aborted.ts';
import { raceTimeout } from '../../../base/time/within.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { toWorkspacePath } from '../../editor/workspace-paths.ts';
import type { MentionSuggestion } from './suggestion.ts';

/** None where nothing is typed yet, no language extension answers in time, or none knows such a symbol. */
export async function symbolSuggestions(
	query: string,
	workspace: WorkspacePort,
	signal: AbortSignal,
): Promise<MentionSuggestion[]> {
	if (query === '') {
		return [];
	}
	const asked = vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
		'vscode.executeWorkspaceSymbolProvider',
		query,
	);
	const found = await orAborted(raceTimeout(asked, extensionLimits.completionSymbolsMs), signal);
	return (found ?? [])
		.flatMap(({ name, location: { uri, range } }) => {
			const path = uri.scheme === 'file' ? toWorkspacePath(workspace.folders, uri.fsPath) : undefined;
			const [startLine, endLine] = [range.start.line + 1, range.end.line + 1];
			return path === undefined
				? []
				: [
						{
							ref: { kind: 'symbol', name, path, startLine, endLine } as const,
							label: name,
							detail: `${path}:${startLine}`,
						},
					];
		})
		.slice(0, extensionLimits.completions);
}
