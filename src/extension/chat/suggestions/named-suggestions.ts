/**
 * Suggestions that are found by a name: capabilities, commits, threads, resources and prompts of MCP servers after `@` and
 * `/`, and symbols of the workspace after `@#`.
 */
import * as vscode from 'vscode';
import { orAborted, raceTimeout } from '../../../base/time/bounded-wait.ts';
import type { WorkspacePort } from '../../../contract/ports/ports.ts';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import { threadRequests } from '../../../protocol/thread/thread-requests.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { toWorkspacePath } from '../../editor/workspace-paths.ts';
import { gitRepository } from '../../editor/git-repositories.ts';
import type { NameableCapability } from '../requests/named-capabilities.ts';
import { toMatchable } from '../../../machine/mentions/match.ts';
import type { MentionSuggestion, NamedSuggestion } from './suggestion.ts';

type McpServerOffers = Awaited<ReturnType<TrustedBase['mcp']['offers']>>;

/** Below every file that fits as well. */
const RESOURCE_BONUS = -15;
const NAME_CHARACTERS = 200;

/** Resources of MCP servers that run, for suggestions after `@`, and their prompts, for those after `/`. */
export function resourceSuggestions(offers: McpServerOffers): NamedSuggestion[] {
	return offers.flatMap(({ server, resources }) =>
		resources.map(({ uri, name, description }) => ({
			...toMatchable(`${server} ${name} ${uri}`.replaceAll('/', ' ')),
			bonus: RESOURCE_BONUS,
			suggestion: {
				ref: { kind: 'resource', server, uri, name: name.slice(0, NAME_CHARACTERS) } as const,
				label: `${server} ${name}`,
				detail: [uri, description].filter((part) => part !== '').join(' · '),
			},
		})),
	);
}

/** Returns the prompts whose name, or `server:name`, begins with the query. */
export function promptSuggestions(offers: McpServerOffers, query: string): MentionSuggestion[] {
	const wanted = query.toLowerCase();
	return offers.flatMap(({ server, prompts }) =>
		prompts
			.filter(({ name }) => [`${server}:${name}`, name].some((each) => each.toLowerCase().startsWith(wanted)))
			.map(({ name, description, arguments: wants }) => {
				const hint = wants.map((each) => (each.isNeeded ? `<${each.name}>` : `[${each.name}]`)).join(' ');
				return {
					ref: { kind: 'prompt', server, name } as const,
					label: `/${server}:${name}`,
					detail: [hint, description].filter((part) => part !== '').join(' · '),
				};
			}),
	);
}

/** Below every file that fits as well. */
const THREAD_BONUS = -15;

/** The newest threads of the open folders, for suggestions after `@`. */
export interface ThreadSource {
	server(): Promise<Peer>;
	/** Absolute paths. */
	folders(): readonly string[];
	/** Thread on the screen, which is not suggested to itself. */
	shown(): ThreadId | null;
}

export async function recentThreads({ server, folders, shown }: ThreadSource): Promise<NamedSuggestion[]> {
	const peer = await server();
	const signal = AbortSignal.timeout(extensionLimits.readThreadMs);
	const { threads } = await peer.call(threadRequests.list, { limit: extensionLimits.titledThreads }, signal);
	const here = folders();
	return threads
		.filter(
			({ id, workspace, title }) => id !== shown() && title !== '' && (workspace === null || here.includes(workspace)),
		)
		.slice(0, extensionLimits.completionThreads)
		.map(({ id, title, updatedAt }) => {
			const ref = { kind: 'thread', threadId: id, title: title.slice(0, 200) } as const;
			const day = new Date(updatedAt).toLocaleDateString(vscode.env.language);
			const suggestion = { ref, label: title, detail: vscode.l10n.t('thread of {0}', day) };
			return { ...toMatchable(`thread ${title.replaceAll('/', ' ')}`), bonus: THREAD_BONUS, suggestion };
		});
}

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

/** Below every file that fits as well. */
const CAPABILITY_BONUS = -10;

/** Capabilities that are switched on, for suggestions after `@`. */
export function capabilitySuggestions(capabilities: readonly NameableCapability[]): NamedSuggestion[] {
	return capabilities.map(({ type, name, description, source }) => ({
		...toMatchable(`capability ${type} ${name}`),
		bonus: CAPABILITY_BONUS,
		suggestion: {
			ref: { kind: 'capability', type, name },
			label: `${type} ${name}`,
			detail: `${source} · ${description}`,
		},
	}));
}

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
