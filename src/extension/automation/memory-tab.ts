/** The tab *Memory*: what waits for the user's review, what is remembered for this project, and what for all of them. */
import * as vscode from 'vscode';
import { escapeToLine } from '../../base/text/one-line.ts';
import type { Memory } from '../../features/memory/memory.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { PageRow } from '../../protocol/pages/capability-page.ts';
import { confirmLoss } from '../notices/notices.ts';
import { askAndAddMemory } from './add-memory.ts';
import { type BuiltAutomationTab, OfferedActs, showThreadInChat } from './built-tab.ts';

type HostMemory = TrustedBase['memory'];
type MemoryGroup = 'inbox' | 'project' | 'user';

const MEMORY_GROUPS: readonly MemoryGroup[] = ['inbox', 'project', 'user'];

export async function memoryTab(register: HostMemory, hasProject: boolean): Promise<BuiltAutomationTab> {
	const { t } = vscode.l10n;
	const offered = new OfferedActs();
	const all = await register.list({});
	const groups = MEMORY_GROUPS.map((group) => ({
		title: describeMemoryGroup(group),
		rows: all
			.filter((memory) => chooseMemoryGroup(memory) === group)
			.map((memory) => memoryRow(memory, register, offered)),
	})).filter(({ rows }) => rows.length > 0);
	const waiting = all.filter(({ state }) => state === 'inbox');
	return {
		summary: t(
			'Facts and preferences that one thread leaves to later ones. A model reads them, and takes no order from them.',
		),
		blocks: [
			{
				kind: 'rows',
				groups,
				none: t('Nothing is remembered yet. Write "remember that …" in the chat, or add it here.'),
				search: t('Search memory'),
			},
		],
		actions: [
			{ action: 'addMemory', label: t('Remember…'), act: () => askAndAddMemory(register, hasProject) },
			...(waiting.length < 2
				? []
				: [
						{
							action: 'acceptAll' as const,
							label: t('Accept All in the Inbox'),
							async act() {
								for (const { id } of waiting) await register.accept(id);
							},
						},
					]),
		],
		rowActions: offered.all,
	};
}

function chooseMemoryGroup({ state, scope }: Memory): MemoryGroup {
	return state === 'inbox' ? 'inbox' : scope;
}

function describeMemoryGroup(group: MemoryGroup): string {
	switch (group) {
		case 'inbox':
			return vscode.l10n.t('Inbox');
		case 'project':
			return vscode.l10n.t('This project');
		case 'user':
			return vscode.l10n.t('All projects');
		default:
			return group satisfies never;
	}
}

function memoryRow(memory: Memory, register: HostMemory, offered: OfferedActs): PageRow {
	const { t } = vscode.l10n;
	const { id, text, state, kind, origin } = memory;
	return {
		id,
		icon: state === 'inbox' ? 'inbox' : kind === 'preference' ? 'heart' : 'lightbulb',
		what: escapeToLine(text),
		state: '',
		isBad: false,
		notes: [listMemoryFacts(memory).join(' · ')],
		actions: [
			...(state === 'inbox'
				? [
						offered.offer('accept', t('Accept'), id, () => register.accept(id)),
						offered.offer('reject', t('Reject'), id, () => register.forget(id)),
					]
				: [
						offered.offer('forget', t('Forget…'), id, async () => {
							if (await confirmLoss(t('Forget this memory?'), [escapeToLine(text)], t('Forget'))) {
								await register.forget(id);
							}
						}),
					]),
			...(origin === undefined
				? []
				: [offered.offer('showThread', t('Open Thread'), id, () => showThreadInChat(origin.threadId))]),
		],
	};
}

function listMemoryFacts({ state, scope, kind, by, at, expiresAt }: Memory): readonly string[] {
	const { t } = vscode.l10n;
	const formatDate = (iso: string) => new Date(iso).toLocaleDateString(vscode.env.language);
	return [
		...(state === 'inbox' ? [scope === 'user' ? t('for all projects') : t('for this project')] : []),
		...(kind === 'preference' ? [t('preference')] : []),
		by === 'user' ? t('by you') : t('by the agent'),
		formatDate(at),
		...(expiresAt === undefined ? [] : [t('until {0}', formatDate(expiresAt))]),
	];
}
