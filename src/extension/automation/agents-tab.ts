/** The tab *Agents*: all that works in this home, what needs the user first, and what can be done with each. */
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { escapeToLine } from '../../base/text/one-line.ts';
import { readBackgroundState } from '../../features/background/attach.ts';
import { listAgentRows } from '../../host/list-agent-rows.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { AGENT_ROW_STATES, type AgentRow, type AgentRowState } from '../../protocol/agents/agent-rows.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import type { PageRow, RowAction } from '../../protocol/pages/capability-page.ts';
import { costText } from '../../protocol/pages/usage-text.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { type Text, titleInWords, translateText } from '../../protocol/text/text.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { extensionLimits } from '../editor/limits.ts';
import { formatScheduleTime } from './add-schedule.ts';
import { type BuiltAutomationTab, OfferedActs, showThreadInChat } from './built-tab.ts';

interface AgentSources {
	readonly home: string;
	/** Undefined: none is to be had. */
	server(): Promise<Peer | undefined>;
}

export async function agentsTab({ home, server }: AgentSources, base: TrustedBase): Promise<BuiltAutomationTab> {
	const { t } = vscode.l10n;
	const offered = new OfferedActs();
	const [peer, background] = await Promise.all([server(), readBackgroundState(home).catch(ifSilent)]);
	const { rows, left } = await withTimeLimit(
		{ what: 'listing the agents', timeoutMs: extensionLimits.listModelsMs },
		(signal) => listAgentRows({ base, server: peer, background, most: extensionLimits.agentRows }, signal),
	);
	return {
		summary: t('Threads, sub-agents, goals, schedules, worktrees and background work of all your projects.'),
		blocks: [
			{
				kind: 'rows',
				groups: AGENT_ROW_STATES.map((state) => ({
					title: describeState(state),
					rows: rows.filter((row) => row.state === state).map((row) => toPageRow(row, { base, peer, offered })),
				})).filter((group) => group.rows.length > 0),
				none: t('Nothing is at work. Write a message in the chat to begin.'),
				search: t('Search agents'),
			},
			...(left === 0
				? []
				: [
						{
							kind: 'note',
							text: t('{0} more are not shown. The list of threads in the chat has every thread.', left),
						} as const,
					]),
		],
		actions: [],
		rowActions: offered.all,
	};
}

function describeState(state: AgentRowState): string {
	const { t } = vscode.l10n;
	switch (state) {
		case 'needsYou':
			return t('Needs You');
		case 'working':
			return t('At Work');
		case 'resting':
			return t('Resting');
		case 'ended':
			return t('Ended Today');
		default:
			return state satisfies never;
	}
}

interface RowParts {
	readonly base: TrustedBase;
	readonly peer: Peer | undefined;
	readonly offered: OfferedActs;
}

const ICONS: { readonly [K in AgentRow['kind']]: string } = {
	thread: 'comment-discussion',
	agent: 'robot',
	goal: 'target',
	schedule: 'calendar',
	worktree: 'repo-forked',
	background: 'server-process',
};

function toPageRow(row: AgentRow, parts: RowParts): PageRow {
	const { t } = vscode.l10n;
	const { id, kind, state, title, doing, said, isBad } = row;
	const act = doing === undefined ? undefined : escapeToLine(titleInWords(doing, translateTemplate));
	return {
		id,
		icon: ICONS[kind],
		what: title === '' ? t('New thread') : escapeToLine(title),
		state: act ?? (said === undefined ? (state === 'working' ? t('In progress') : '') : inWords(said)),
		isBad: state === 'needsYou' || isBad === true,
		notes: [describeKind(row), ...listFigures(row)],
		actions: listRowActs(row, parts),
	};
}

function describeKind({ kind, worksFor, steps }: AgentRow): string {
	const { t } = vscode.l10n;
	switch (kind) {
		case 'thread':
			return t('Thread');
		case 'agent':
			return worksFor === undefined ? t('Sub-agent') : t('Sub-agent of "{0}"', escapeToLine(worksFor));
		case 'goal':
			return t('Goal: {0} of {1} steps done', steps?.done ?? 0, steps?.all ?? 0);
		case 'schedule':
			return t('Run of a schedule');
		case 'worktree':
			return t('Worktree that no listed thread works in');
		case 'background':
			return t('The background host works in this folder');
		default:
			return kind satisfies never;
	}
}

function listFigures({
	tokens = 0,
	cost = 0,
	files,
	worktree,
	beganAt,
	changedAt,
	state,
}: AgentRow): readonly string[] {
	const { t } = vscode.l10n;
	const isOver = state === 'resting' || state === 'ended';
	return [
		...(tokens === 0 ? [] : [t('{n} tokens', { n: tokens.toLocaleString(vscode.env.language) })]),
		...(cost === 0 ? [] : [inWords(costText(cost))]),
		...(files === 0 ? [] : [files === 1 ? t('1 changed file') : t('{0} changed files', files)]),
		...(worktree === undefined ? [] : [t('in the worktree {0}', escapeToLine(worktree))]),
		isOver ? t('last at work {0}', formatScheduleTime(changedAt)) : t('begun {0}', formatScheduleTime(beganAt)),
	];
}

/** The first act is what one usually wants: to answer, else to look. */
function listRowActs(row: AgentRow, { base, peer, offered }: RowParts): RowAction[] {
	const { t } = vscode.l10n;
	const { id, kind, state, threadId, isRunning, files } = row;
	if (kind === 'worktree') {
		const showWorktrees = () => vscode.commands.executeCommand('prowess.showWorktrees');
		return [offered.offer('open', t('Show Worktrees'), id, async () => showWorktrees())];
	}
	if (threadId === null) return [];
	const label = state === 'needsYou' ? t('Answer') : t('Open Thread');
	return [
		offered.offer('showThread', label, id, () => showThreadInChat(threadId)),
		...(files === 0
			? []
			: [offered.offer('showChanges', t('Show Changes'), id, async () => showThreadChanges(threadId))]),
		...(isRunning ? [offered.offer('stop', t('Stop'), id, () => stopRow(kind, threadId, base, peer))] : []),
		...(kind === 'thread' && state === 'resting'
			? [offered.offer('archive', t('Archive'), id, () => archiveThread(threadId, peer))]
			: []),
	];
}

async function showThreadChanges(threadId: ThreadId): Promise<void> {
	await vscode.commands.executeCommand('prowess.showChanges', { owner: threadId });
}

async function archiveThread(threadId: ThreadId, peer: Peer | undefined): Promise<void> {
	await withTimeLimit({ what: 'archiving the thread', timeoutMs: extensionLimits.readThreadMs }, async (signal) =>
		peer?.call(threadRequests.update, { threadId, shelf: 'archived' }, signal),
	);
}

/** A sub-agent ends with all that it has started; of a thread, its turn ends, whichever process runs it. */
async function stopRow(
	kind: AgentRow['kind'],
	threadId: ThreadId,
	{ agents }: Pick<TrustedBase, 'agents'>,
	peer: Peer | undefined,
): Promise<void> {
	await withTimeLimit({ what: 'stopping the turn', timeoutMs: extensionLimits.stopTurnMs }, async (signal) => {
		if (kind === 'agent') {
			await agents.stop(threadId, signal);
			return;
		}
		await peer?.call(threadRequests.stop, { threadId }, signal).catch(async (error: unknown) => {
			if (!isProwessError(error) || error.code !== 'THREAD_BUSY') throw error;
			await peer.call(threadRequests.takeOver, { threadId }, signal);
		});
	});
}

/** The tab *Schedules* says why. */
function ifSilent(): undefined {
	return undefined;
}

function translateTemplate(template: string): string {
	return vscode.l10n.t(template);
}

function inWords(said: Text): string {
	return translateText(said, translateTemplate);
}
