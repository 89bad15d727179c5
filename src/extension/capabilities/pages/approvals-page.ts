/** *Manage Approvals*: everything that is allowed until further notice, on one page, each revoked by a click. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import type { KeptApproval, KeptApprovalList } from '../../../contract/approvals.ts';
import type { PageBlock } from '../../../protocol/pages/capability-page.ts';
import { translateText } from '../../../protocol/text/text.ts';
import type { ThreadInfo } from '../../../protocol/thread/thread.ts';
import { type BuiltPage, type OfferedAction } from './built-page.ts';

type ApprovalGroups = Extract<PageBlock, { kind: 'approvals' }>['groups'];
type ApprovalPageRow = ApprovalGroups[number]['rows'][number];

/** Threads by id, as people call them, and where they have put them. */
export type KnownThreads = ReadonlyMap<string, Pick<ThreadInfo, 'title' | 'shelf'>>;

interface ApprovalsPageSources {
	readonly list: KeptApprovalList;
	/** Threads that approvals are for, by id; threads that are not known are absent. */
	readonly threads: KnownThreads;
	/** Id of the approval that the page was opened for; empty: none. */
	readonly marked: string;
}

export function approvalsPage({ list, threads, marked }: ApprovalsPageSources): BuiltPage {
	const t = vscode.l10n.t;
	const { approvals, secrets, problems } = list;
	const groups = groupApprovals(list, threads);
	const isGone = marked !== '' && !approvals.some(({ id }) => id === marked);
	return {
		content: {
			title: t('Approvals'),
			kicker: '',
			summary: t(
				'This page lists what you have allowed until further notice. If you revoke an entry, Prowess asks again at once, in every window.',
			),
			blocks: [
				...problems.map((problem): PageBlock => ({ kind: 'problem', severity: 'error', text: escapeToLine(problem) })),
				...(isGone ? [{ kind: 'note' as const, text: t('The approval that you opened is no longer in effect.') }] : []),
				{
					kind: 'approvals',
					groups,
					none: t(
						'Nothing is allowed until further notice. To allow something, choose "Always" or "for this thread" when Prowess asks.',
					),
					...(marked === '' || isGone ? {} : { marked }),
				},
			],
		},
		actions: [
			{ action: 'testRule', label: t('Test a Rule…'), command: 'prowess.testRule', on: undefined },
			...(approvals.length === 0
				? []
				: [{ action: 'reset', label: t('Reset…'), command: 'prowess.resetApprovals', on: undefined } as const]),
		],
		rowActions: new Map([
			...approvals.map(({ id }) => [id, createRevokeAction(id)] as const),
			...secrets.map((name) => [secretId(name), createForgetAction(name)] as const),
		]),
	};
}

function createRevokeAction(id: string): OfferedAction {
	return { action: 'revoke', label: vscode.l10n.t('Revoke'), command: 'prowess.revokeApproval', on: id };
}

function createForgetAction(name: string): OfferedAction {
	return { action: 'forget', label: vscode.l10n.t('Forget…'), command: 'prowess.forgetSecret', on: name };
}

function secretId(name: string): string {
	return `secret ${name}`;
}

const APPROVAL_GROUPS = [
	'thread',
	'project',
	'otherProject',
	'everywhere',
	'capability',
	'mcp',
	'host',
	'secret',
	'archived',
] as const;
type ApprovalGroupKind = (typeof APPROVAL_GROUPS)[number];

function groupApprovals({ approvals, secrets }: KeptApprovalList, threads: KnownThreads): ApprovalGroups {
	return APPROVAL_GROUPS.map((group) => ({
		title: describeApprovalGroup(group),
		rows: [
			...approvals
				.filter((approval) => chooseApprovalGroup(approval, threads) === group)
				.map((each) => createApprovalRow(each, group, threads)),
			...(group === 'secret' ? secrets.map(secretRow) : []),
		],
	})).filter(({ rows }) => rows.length > 0);
}

/** Rules for hosts and secrets are looked for by what they reach, not by where they count. */
function chooseApprovalGroup({ in: place, exact }: KeptApproval, threads: KnownThreads): ApprovalGroupKind {
	if (/^http\.request [^@]+@/.test(exact ?? '')) {
		return 'secret';
	}
	if (/^(?:net\.connect|http\.(?:get|request)) /.test(exact ?? '')) {
		return 'host';
	}
	if (place.kind === 'level' || place.kind === 'thread') {
		return threads.get(place.threadId)?.shelf === 'archived' ? 'archived' : 'thread';
	}
	return place.kind === 'project' && !place.isOpen ? 'otherProject' : place.kind;
}

function describeApprovalGroup(group: ApprovalGroupKind): string {
	const t = vscode.l10n.t;
	switch (group) {
		case 'thread':
			return t('Threads');
		case 'project':
			return t('This project');
		case 'otherProject':
			return t('Other projects');
		case 'everywhere':
			return t('All projects');
		case 'capability':
			return t('Trusted capabilities');
		case 'mcp':
			return t('MCP servers');
		case 'host':
			return t('Hosts');
		case 'secret':
			return t('Secrets');
		case 'archived':
			return t('Archived threads');
	}
}

function createApprovalRow(approval: KeptApproval, group: ApprovalGroupKind, threads: KnownThreads): ApprovalPageRow {
	const { id, what, exact, origin } = approval;
	const reach = describeApprovalReach(approval, group, threads);
	return {
		id,
		what: escapeToLine(translateText(what, (template) => vscode.l10n.t(template))),
		...(exact === null ? {} : { exact: escapeToLine(exact) }),
		notes: [
			...(reach === undefined ? [] : [reach]),
			...(origin === null
				? []
				: [
						vscode.l10n.t('Since {when}, asked as: {title}', {
							when: formatApprovalTime(origin.at),
							title: escapeToLine(origin.title),
						}),
					]),
		],
		action: 'revoke',
		label: createRevokeAction(id).label,
	};
}

/** Where it counts; undefined where its group says so. */
function describeApprovalReach(
	{ in: place }: KeptApproval,
	group: ApprovalGroupKind,
	threads: KnownThreads,
): string | undefined {
	const t = vscode.l10n.t;
	switch (place.kind) {
		case 'thread':
			return t('In the thread “{title}”', {
				title: escapeToLine(threads.get(place.threadId)?.title ?? place.threadId),
			});
		case 'level':
			return t('In the thread “{title}”. Revoked, it has the level of your settings again.', {
				title: escapeToLine(threads.get(place.threadId)?.title ?? place.threadId),
			});
		case 'project':
			if (place.isOpen) {
				return group === 'project' ? undefined : t('In this project');
			}
			return t('In {folder}', { folder: escapeToLine(place.folders.join(', ')) });
		case 'everywhere':
			return group === 'everywhere' ? undefined : t('In all projects');
		case 'capability':
		case 'mcp':
			return undefined;
		case 'host':
			return t('By the setting {name}; each request still asks.', { name: 'prowess.http.allowHosts' });
	}
}

function secretRow(name: string): ApprovalPageRow {
	return {
		id: secretId(name),
		what: vscode.l10n.t('The secret {name} is stored', { name: escapeToLine(name) }),
		notes: [vscode.l10n.t('Each use of it asks you, unless a rule names it.')],
		action: 'forget',
		label: createForgetAction(name).label,
	};
}

function formatApprovalTime(iso: string): string {
	return new Date(iso).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}
