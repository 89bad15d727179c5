/** A tab of the view *Capabilities* as it was made: what it shows, and what its rows may ask for in return. */
import * as vscode from 'vscode';
import { escapeToLine } from '../../../base/text/one-line.ts';
import type {
	AskedRows,
	CapabilitiesContent,
	CapabilityRow,
	CapabilitySection,
} from '../../../protocol/pages/capabilities-view.ts';
import type { EditorCommandId } from '../../editor/command-table.ts';
import { extensionLimits } from '../../editor/limits.ts';

/** A command with what it is called on. */
interface TabCall {
	readonly command: EditorCommandId | 'workbench.trust.manage' | 'workbench.action.openSettings';
	readonly on?: unknown;
}

export interface TabAction extends TabCall {
	readonly label: string;
	/** Name of a codicon. */
	readonly icon: string;
}

export interface BuiltRow extends Omit<CapabilityRow, 'opens' | 'buttons' | 'menu'> {
	/** `label`: in words. */
	readonly opens: (TabCall & { readonly label: string }) | undefined;
	readonly buttons: readonly TabAction[];
	readonly menu: readonly TabAction[];
}

export interface BuiltSection extends Omit<CapabilitySection, 'rows' | 'left'> {
	readonly rows: readonly BuiltRow[];
}

export interface BuiltTab {
	readonly sentence?: string;
	readonly sections: readonly BuiltSection[];
	readonly choices?: CapabilitiesContent['choices'];
	readonly actions: readonly TabAction[];
	readonly empty: { readonly text: string; readonly actions: readonly TabAction[] };
	/** Badge for what needs the user's attention in the tab: the count, and the same in words. */
	readonly badge?: { readonly count: number; readonly text: string };
	/** True when its rows show a running time, which must be updated. */
	readonly isTicking?: boolean;
	/** True when the maker of the tab has applied the search, so the rows are not filtered again. */
	readonly isSearched?: boolean;
}

/** Makes a tab from what is so now. Rejects when the signal aborts, and as what it reads does. */
export type TabMaker = (asked: Omit<AskedRows, 'tab'>, signal: AbortSignal) => Promise<BuiltTab>;

/** Makes the actions of a row. */
export function createActionFactory(
	on: unknown,
): (command: TabAction['command'], label: string, icon: string) => TabAction {
	return (command, label, icon) => ({ command, label, icon, on });
}

export function toTabContent(tab: BuiltTab, search: string): CapabilitiesContent {
	const words =
		tab.isSearched === true
			? []
			: search
					.toLowerCase()
					.split(/\s+/)
					.filter((word) => word !== '');
	const sections = tab.sections
		.map((section) => toSectionContent(section, words))
		.filter(({ rows }) => rows.length > 0);
	return {
		sentence: tab.sentence ?? '',
		sections,
		choices: [...(tab.choices ?? [])],
		actions: tab.actions.map(toShownAction),
		empty: { text: tab.empty.text, actions: tab.empty.actions.map(toShownAction) },
	};
}

/**
 * Returns the call that an action id stands for in a row, or in the tab when `on` is null; undefined: that action is
 * not offered.
 */
export function callFor(tab: BuiltTab, on: string | null, action: string): TabCall | undefined {
	if (on === null) {
		return [...tab.actions, ...tab.empty.actions].find(({ command }) => command === action);
	}
	const row = tab.sections.flatMap(({ rows }) => rows).find(({ id }) => id === on);
	return action === OPEN_ROW_ACTION
		? row?.opens
		: [...(row?.buttons ?? []), ...(row?.menu ?? [])].find(isCalled(action));
}

/** Asks for what the name of a row opens. */
const OPEN_ROW_ACTION = 'open';

const isCalled =
	(action: string) =>
	({ command }: TabAction): boolean =>
		command === action;

function toSectionContent({ rows, ...section }: BuiltSection, words: readonly string[]): CapabilitySection {
	const fitting =
		words.length === 0 ? rows : rows.filter((row) => words.every((word) => createSearchText(row).includes(word)));
	return {
		...section,
		rows: fitting.slice(0, extensionLimits.viewRows).map(toCapabilityRow),
		left: Math.max(0, fitting.length - extensionLimits.viewRows),
	};
}

function createSearchText({ name, description, facts, parts, marks }: BuiltRow): string {
	return [name, description, ...facts, ...parts, ...marks.map(({ text }) => text)].join('\n').toLowerCase();
}

function toCapabilityRow({ opens, buttons, menu, ...row }: BuiltRow): CapabilityRow {
	return { ...row, opens: opens?.label ?? null, buttons: buttons.map(toShownAction), menu: menu.map(toShownAction) };
}

function toShownAction({ command, label, icon }: TabAction): { id: string; label: string; icon: string } {
	return { id: command, label, icon };
}

/** Number of what asks for the user, and the words for each kind of it that there is. */
export function createTabBadge(...kinds: readonly (readonly [count: number, text: string])[]): BuiltTab['badge'] {
	const there = kinds.filter(([count]) => count > 0);
	return there.length === 0
		? undefined
		: { count: there.reduce((sum, [count]) => sum + count, 0), text: there.map(([, text]) => text).join(', ') };
}

/** Builds the content of every tab before the workspace is trusted. */
export function untrustedTab(): BuiltTab {
	const text = vscode.l10n.t(
		'Prowess is off in Restricted Mode. It reads, starts and sends nothing until you trust this workspace.',
	);
	const trust: TabAction = {
		command: 'workbench.trust.manage',
		label: vscode.l10n.t('Manage Workspace Trust'),
		icon: 'shield',
	};
	return { sections: [], actions: [], empty: { text, actions: [trust] } };
}

/** Row for something that could not be read; it offers no actions. */
export function problemRow(problem: string, icon: 'error' | 'warning'): BuiltRow {
	return {
		id: `problem.${problem}`,
		name: escapeToLine(problem),
		icon,
		isBusy: false,
		isQuiet: false,
		description: '',
		facts: [],
		marks: [],
		parts: [],
		opens: undefined,
		buttons: [],
		menu: [],
	};
}
