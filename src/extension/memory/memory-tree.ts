/** The view *Memory*: what waits for the user's review, what is remembered for this project, and what for all of them. */
import * as vscode from 'vscode';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import type { Memory } from '../../features/memory/memory.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { ChangingTree } from '../editor/changing-tree.ts';

type MemoryGroup = 'inbox' | 'project' | 'user';
type MemoryNode =
	| { readonly kind: 'memoryGroup'; readonly group: MemoryGroup; readonly memories: readonly Memory[] }
	| { readonly kind: 'memory'; readonly memory: Memory };

const MEMORY_GROUPS: readonly MemoryGroup[] = ['inbox', 'project', 'user'];

/** Number of a view's icon in the side bar. */
export interface BadgedView {
	badge?: vscode.ViewBadge | undefined;
}

export class MemoryTree extends ChangingTree<MemoryNode> {
	readonly #view: BadgedView;
	readonly #base: () => Promise<TrustedBase>;

	constructor(view: BadgedView, base: () => Promise<TrustedBase>) {
		super();
		this.#view = view;
		this.#base = base;
	}

	protected async makeRows(): Promise<MemoryNode[]> {
		const all = await (await this.#base()).memory.list({});
		const rows = MEMORY_GROUPS.map((group) => ({
			kind: 'memoryGroup' as const,
			group,
			memories: all.filter((memory) => chooseMemoryGroup(memory) === group),
		}));
		const waiting = rows.find(({ group }) => group === 'inbox')?.memories.length ?? 0;
		this.#view.badge =
			waiting === 0 ? undefined : { value: waiting, tooltip: vscode.l10n.t('{0} memories to review', waiting) };
		return rows.filter(({ memories }) => memories.length > 0);
	}

	protected rowsBelow(node: MemoryNode): readonly MemoryNode[] {
		return node.kind === 'memoryGroup' ? node.memories.map((memory) => ({ kind: 'memory', memory })) : [];
	}

	getTreeItem(node: MemoryNode): vscode.TreeItem {
		if (node.kind === 'memoryGroup') {
			const item = new vscode.TreeItem(groupText(node.group), vscode.TreeItemCollapsibleState.Expanded);
			item.id = `memoryGroup.${node.group}`;
			item.description = String(node.memories.length);
			item.contextValue = item.id;
			return item;
		}
		return memoryItem(node.memory);
	}
}

function chooseMemoryGroup({ state, scope }: Memory): MemoryGroup {
	return state === 'inbox' ? 'inbox' : scope;
}

function groupText(group: MemoryGroup): string {
	switch (group) {
		case 'inbox':
			return vscode.l10n.t('Inbox');
		case 'project':
			return vscode.l10n.t('This project');
		case 'user':
			return vscode.l10n.t('All projects');
	}
}

function memoryItem(memory: Memory): vscode.TreeItem {
	const { id, text, state, kind, origin } = memory;
	const item = new vscode.TreeItem(escapeInvisible(text, 'line'));
	const facts = memoryFacts(memory);
	item.id = id;
	item.description = facts.join(' · ');
	item.iconPath = new vscode.ThemeIcon(state === 'inbox' ? 'inbox' : kind === 'preference' ? 'heart' : 'lightbulb');
	item.contextValue = `memory.${state}.${origin === undefined ? 'own' : 'thread'}`;
	item.tooltip = `${escapeInvisible(text, 'lines')}\n\n${facts.join(' · ')}`;
	item.accessibilityInformation = { label: `${escapeInvisible(text, 'line')}, ${item.description}` };
	return item;
}

/** Returns the facts shown beside the text of a memory. */
export function memoryFacts({ state, scope, kind, by, at, expiresAt }: Memory): readonly string[] {
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
