/** *Manage Approvals*: everything that is allowed until further notice, on one page, each revoked by a click. */
import * as vscode from 'vscode';
import type { KeptApproval, KeptApprovalList } from '../../../contract/kept-approvals.ts';
import type { PageBlock } from '../../../protocol/pages/capability-page.ts';
import { wordsOf } from '../../../protocol/text/text.ts';
import { type BuiltPage, line, type OfferedAction } from './built-page.ts';

type Groups = Extract<PageBlock, { kind: 'approvals' }>['groups'];
type Row = Groups[number]['rows'][number];

interface ApprovalsPageSources {
	readonly list: KeptApprovalList;
	/** Titles of the threads that approvals are for, by thread id; threads that are not known are absent. */
	readonly threadTitles: ReadonlyMap<string, string>;
	/** Id of the approval that the page was opened for; empty: none. */
	readonly marked: string;
}

export function approvalsPage({ list, threadTitles, marked }: ApprovalsPageSources): BuiltPage {
	const t = vscode.l10n.t;
	const { approvals, secrets, problems } = list;
	const groups = groupsOf(list, threadTitles);
	const isGone = marked !== '' && !approvals.some(({ id }) => id === marked);
	return {
		content: {
			title: t('Approvals'),
			kicker: '',
			summary: t(
				'What you have allowed until further notice. Anything you revoke is asked about again at once, in every window.',
			),
			blocks: [
				...problems.map((problem): PageBlock => ({ kind: 'problem', severity: 'error', text: line(problem) })),
				...(isGone ? [{ kind: 'note' as const, text: t('What you followed is no longer allowed.') }] : []),
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
			...approvals.map(({ id }) => [id, revocation(id)] as const),
			...secrets.map((name) => [secretId(name), forgetting(name)] as const),
		]),
	};
}

function revocation(id: string): OfferedAction {
	return { action: 'revoke', label: vscode.l10n.t('Revoke'), command: 'prowess.revokeApproval', on: id };
}

function forgetting(name: string): OfferedAction {
	return { action: 'forget', label: vscode.l10n.t('Forget…'), command: 'prowess.forgetSecret', on: name };
}

function secretId(name: string): string {
	return `secret ${name}`;
}

const GROUPS = ['thread', 'project', 'otherProject', 'everywhere', 'capability', 'mcp', 'host', 'secret'] as const;
type Group = (typeof GROUPS)[number];

function groupsOf({ approvals, secrets }: KeptApprovalList, threadTitles: ReadonlyMap<string, string>): Groups {
	return GROUPS.map((group) => ({
		title: titleOf(group),
		rows: [
			...approvals.filter((approval) => groupOf(approval) === group).map((each) => rowOf(each, group, threadTitles)),
			...(group === 'secret' ? secrets.map(secretRow) : []),
		],
	})).filter(({ rows }) => rows.length > 0);
}

/** Rules for hosts and secrets are looked for by what they reach, not by where they count. */
function groupOf({ in: place, exact }: KeptApproval): Group {
	if (/^http\.request [^@]+@/.test(exact ?? '')) {
		return 'secret';
	}
	if (/^(?:net\.connect|http\.(?:get|request)) /.test(exact ?? '')) {
		return 'host';
	}
	if (place.kind === 'level') {
		return 'thread';
	}
	return place.kind === 'project' && !place.isOpen ? 'otherProject' : place.kind;
}

function titleOf(group: Group): string {
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
	}
}

function rowOf(approval: KeptApproval, group: Group, threadTitles: ReadonlyMap<string, string>): Row {
	const { id, what, exact, origin } = approval;
	const reach = reachOf(approval, group, threadTitles);
	return {
		id,
		what: line(wordsOf(what, (template) => vscode.l10n.t(template))),
		...(exact === null ? {} : { exact: line(exact) }),
		notes: [
			...(reach === undefined ? [] : [reach]),
			origin === null
				? vscode.l10n.t('It is not known since when.')
				: vscode.l10n.t('Since {when}, asked as: {title}', { when: localTime(origin.at), title: line(origin.title) }),
		],
		action: 'revoke',
		label: revocation(id).label,
	};
}

/** Where it counts; undefined where its group says so. */
function reachOf(
	{ in: place }: KeptApproval,
	group: Group,
	threadTitles: ReadonlyMap<string, string>,
): string | undefined {
	const t = vscode.l10n.t;
	switch (place.kind) {
		case 'thread':
			return t('In the thread {title}', { title: line(threadTitles.get(place.threadId) ?? place.threadId) });
		case 'level':
			return t('In the thread {title}. Revoked, it has the level of your settings again.', {
				title: line(threadTitles.get(place.threadId) ?? place.threadId),
			});
		case 'project':
			if (place.isOpen) {
				return group === 'project' ? undefined : t('In this project');
			}
			return t('In {folder}', { folder: line(place.folders.join(', ')) });
		case 'everywhere':
			return group === 'everywhere' ? undefined : t('In all projects');
		case 'capability':
		case 'mcp':
			return undefined;
		case 'host':
			return t('By the setting {name}; each request still asks.', { name: 'prowess.http.allowHosts' });
	}
}

function secretRow(name: string): Row {
	return {
		id: secretId(name),
		what: vscode.l10n.t('The secret {name} is stored', { name: line(name) }),
		notes: [vscode.l10n.t('Each use of it asks you, unless a rule names it.')],
		action: 'forget',
		label: forgetting(name).label,
	};
}

function localTime(iso: string): string {
	return new Date(iso).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}
