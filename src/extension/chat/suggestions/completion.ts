/**
 * Suggestions after `@`: open editors, the selection and the problems first, then files and folders of the workspace, and what
 * is known by name: capabilities, threads, commits and resources of MCP servers. After `@#` symbols, and a web address by
 * itself. A query that begins with `/` is for prompts of MCP servers.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { LogPort, WorkspacePort } from '../../../contract/ports/ports.ts';
import { ContextRef, contextLabel } from '../../../protocol/thread/context.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { inBackground } from '../../editor/signals.ts';
import { toWorkspacePath } from '../../editor/workspace-paths.ts';
import { selectionRef } from '../../shown/message-refs.ts';
import type { NameableCapability } from '../requests/named-capabilities.ts';
import { KeptValue } from '../../../machine/mentions/kept-value.ts';
import { toMatchable } from '../../../machine/mentions/match.ts';
import { type IndexedPath, PathIndex } from '../../../machine/mentions/path-index.ts';
import { keptSuggestions, type MentionSuggestion, type NamedSuggestion } from './suggestion.ts';
import {
	capabilitySuggestions,
	latestCommits,
	promptSuggestions,
	recentThreads,
	resourceSuggestions,
	symbolSuggestions,
	type ThreadSource,
} from './named-suggestions.ts';

/** Before that much is typed, a list of what has names says nothing. */
const MIN_NAME_QUERY = 2;

interface CompletionSources extends ThreadSource {
	readonly workspace: WorkspacePort;
	readonly log: LogPort;
	capabilities(): Promise<readonly NameableCapability[]>;
	/** Resources and prompts of MCP servers that run. */
	offers(): ReturnType<TrustedBase['mcp']['offers']>;
	/** Another number than before once a server has started or ended. */
	offersChanged(): number;
}

interface SuggestionList {
	readonly items: MentionSuggestion[];
	/** More fit than are listed. */
	readonly isCut: boolean;
}

export class MentionCompletion {
	readonly #workspace: WorkspacePort;
	readonly #offers: CompletionSources['offers'];
	readonly #paths: KeptValue<PathIndex>;
	readonly #byName: readonly KeptValue<readonly NamedSuggestion[]>[];

	constructor({ workspace, log, capabilities, offers, offersChanged, ...threads }: CompletionSources) {
		this.#workspace = workspace;
		this.#offers = offers;
		this.#byName = [
			keptSuggestions('commits', log, latestCommits),
			keptSuggestions('threads', log, () => recentThreads(threads)),
			keptSuggestions('resources', log, async () => resourceSuggestions(await offers()), offersChanged),
			keptSuggestions('capabilities', log, async () => capabilitySuggestions(await capabilities())),
		];
		this.#paths = new KeptValue({
			make: () => {
				const index = this.#index();
				inBackground(log, 'files after @', index);
				return index;
			},
			freshMs: extensionLimits.completionCacheMs,
			patienceMs: extensionLimits.completionPatienceMs,
			now: () => performance.now(),
		});
	}

	async complete(query: string, signal: AbortSignal): Promise<SuggestionList> {
		if (query.startsWith('#')) {
			return cutSuggestions(await symbolSuggestions(query.slice(1), this.#workspace, signal));
		}
		if (query.startsWith('/')) {
			return cutSuggestions(promptSuggestions(await this.#offers(), query.slice(1)));
		}
		const address = ContextRef.safeParse({ kind: 'page', url: query });
		if (address.success) {
			return cutSuggestions([{ ref: address.data, label: query, detail: vscode.l10n.t('The text of this web page') }]);
		}
		// Each other key waits for files alone.
		const [paths, ...byName] = await Promise.all([
			this.#paths.get(signal),
			...(query.length < MIN_NAME_QUERY ? [] : this.#byName.map((kept) => kept.get(signal))),
		]);
		signal.throwIfAborted();
		const named = [...this.#named(), ...byName.flat()];
		const found = paths.rank(query, { named, open: openPaths(this.#workspace) }, extensionLimits.completions + 1);
		return cutSuggestions(found.map((each) => ('suggestion' in each ? each.suggestion : toPathSuggestion(each))));
	}

	#named(): NamedSuggestion[] {
		const selection = selectionRef(this.#workspace);
		return [
			...(selection === undefined
				? []
				: [createNamedSuggestion('selection', 60, selection, vscode.l10n.t('selection'), contextLabel(selection))]),
			createNamedSuggestion(
				'problems',
				40,
				{ kind: 'problems' },
				vscode.l10n.t('problems'),
				vscode.l10n.t('Errors and warnings of the workspace'),
			),
			createNamedSuggestion(
				'changes',
				35,
				{ kind: 'changes' },
				vscode.l10n.t('changes'),
				vscode.l10n.t('Uncommitted changes, as a diff'),
			),
			...(vscode.window.activeTerminal === undefined
				? []
				: [
						createNamedSuggestion(
							'terminal',
							35,
							// The text stays empty here, because it is read when the suggestion is chosen.
							{ kind: 'terminal', name: vscode.window.activeTerminal.name.slice(0, 200), text: '' },
							vscode.l10n.t('terminal'),
							vscode.l10n.t('Output of the terminal {0}', vscode.window.activeTerminal.name),
						),
					]),
			createCodebaseSuggestion(),
		];
	}

	/** In slices: the editor's other extensions run in the same loop. */
	async #index(): Promise<PathIndex> {
		const found = await vscode.workspace.findFiles('**/*', '**/node_modules/**', extensionLimits.completionFiles);
		const paths: string[] = [];
		for (const [at, { scheme, fsPath }] of found.entries()) {
			const path = scheme === 'file' ? toWorkspacePath(this.#workspace.folders, fsPath) : undefined;
			if (path !== undefined) {
				paths.push(path);
			}
			if (at % extensionLimits.completionFilesInTurn === extensionLimits.completionFilesInTurn - 1) {
				await nextTurn();
			}
		}
		return await PathIndex.of(paths);
	}
}

function cutSuggestions(found: readonly MentionSuggestion[]): SuggestionList {
	return { items: found.slice(0, extensionLimits.completions), isCut: found.length > extensionLimits.completions };
}

/** Offered while the index is off, too, with what choosing it does. */
function createCodebaseSuggestion(): NamedSuggestion {
	const { t } = vscode.l10n;
	const isOn = vscode.workspace.getConfiguration('prowess.search').get('codeIndex') === true;
	const detail = isOn ? t('Places in the code that fit the message') : t('Off. Choose it to turn on the code index');
	const named = createNamedSuggestion('codebase', 35, { kind: 'codebase' }, t('codebase'), detail);
	return isOn ? named : { ...named, suggestion: { ...named.suggestion, isOff: true } };
}

function createNamedSuggestion(
	text: string,
	bonus: number,
	ref: ContextRef,
	label: string,
	detail: string,
): NamedSuggestion {
	return { ...toMatchable(text), bonus, suggestion: { ref, label, detail } };
}

function toPathSuggestion({ kind, path }: IndexedPath): MentionSuggestion {
	const end = path.lastIndexOf('/');
	const name = path.slice(end + 1);
	const label = kind === 'folder' ? `${name}/` : name;
	return { ref: { kind, path }, label, detail: path.slice(0, Math.max(0, end)) };
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
