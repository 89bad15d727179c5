/** *Automation*: one page for all that works without a message, a tab for each kind. Each is read when it is shown. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { AutomationTab } from '../../protocol/pages/capability-page.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { BuiltPage, OfferedAction } from '../capabilities/pages/built-page.ts';
import { agentsTab } from './agents-tab.ts';
import { browsersTab, type ShownCode } from './browsers-tab.ts';
import type { BuiltAutomationTab } from './built-tab.ts';
import { goalsTab } from './goals-tab.ts';
import { countParkedJobs, jobsTab } from './jobs-tab.ts';
import { memoryTab } from './memory-tab.ts';
import { schedulesTab } from './schedules-tab.ts';
import { scriptsTab } from './scripts-tab.ts';

export interface AutomationSources {
	base(): Promise<TrustedBase>;
	readonly home: string;
	readonly extensionUri: vscode.Uri;
	/** Undefined: none is to be had. */
	server(): Promise<Peer | undefined>;
	/** A folder is open. */
	hasProject(): boolean;
	/** Pairing code that the page shows at present. */
	readonly pairing: ShownCode;
}

type MakeTab = (sources: AutomationSources, base: TrustedBase) => Promise<BuiltAutomationTab>;

const TABS: { readonly [T in AutomationTab]: MakeTab } = {
	agents: agentsTab,
	goals: async (_sources, base) => goalsTab(base.goals),
	jobs: jobsTab,
	schedules: (sources, { schedules }) => schedulesTab(sources, schedules, 'schedules'),
	watches: (sources, { schedules }) => schedulesTab(sources, schedules, 'watches'),
	scripts: (_sources, { scripts }) => scriptsTab(scripts),
	memory: ({ hasProject }, { memory }) => memoryTab(memory, hasProject()),
	browsers: browsersTab,
};

/** `of` names the tab; what names none is the first. */
export async function automationPage(of: string, sources: AutomationSources): Promise<BuiltPage> {
	const { t } = vscode.l10n;
	const shown = AutomationTab.catch('agents').parse(of);
	const base = await sources.base();
	const [{ summary, blocks, actions, rowActions, changed }, counts] = await Promise.all([
		TABS[shown](sources, base),
		countEach(base, sources.home),
	]);
	const switches = AutomationTab.options.map((id): [string, OfferedAction] => [
		id,
		{ action: 'showTab', label: describeAutomationTab(id), command: 'prowess.showAutomation', on: id },
	]);
	return {
		content: {
			title: t('Automation'),
			kicker: '',
			summary,
			tabs: {
				shown,
				list: AutomationTab.options.map((id) => ({ id, label: describeAutomationTab(id), count: counts[id] ?? null })),
			},
			blocks,
		},
		actions,
		rowActions: new Map([...switches, ...(rowActions ?? [])]),
		...(changed && { changed }),
	};
}

/** Numbers beside the tabs, of what is under way or waits for the user. */
async function countEach(
	{ desk, goals, schedules, memory }: TrustedBase,
	home: string,
): Promise<{ readonly [T in AutomationTab]?: number | undefined }> {
	const all = schedules.list().filter(({ isPaused, nextDue }) => !isPaused && nextDue !== null);
	const { approvals, questions } = desk.current;
	const asking = new Set([...approvals, ...questions].flatMap(({ threadId }) => threadId ?? []));
	const omitZero = (number: number) => (number === 0 ? undefined : number);
	return {
		agents: omitZero(asking.size),
		goals: omitZero(goals.list().filter(({ state }) => ['open', 'failed', 'needsYou'].includes(state)).length),
		// Jobs that cannot be read are no reason to show nothing else; their tab says why.
		jobs: omitZero(tryCountJobs(home)),
		schedules: omitZero(all.filter(({ watch }) => watch === undefined).length),
		watches: omitZero(all.filter(({ watch }) => watch !== undefined).length),
		memory: omitZero((await memory.list({ state: 'inbox' })).length),
	};
}

function tryCountJobs(home: string): number {
	try {
		return countParkedJobs(home);
	} catch {
		return 0;
	}
}

function describeAutomationTab(tab: AutomationTab): string {
	const { t } = vscode.l10n;
	switch (tab) {
		case 'agents':
			return t('Agents');
		case 'goals':
			return t('Goals');
		case 'jobs':
			return t('Jobs');
		case 'schedules':
			return t('Schedules');
		case 'watches':
			return t('Watches');
		case 'scripts':
			return t('Scripts');
		case 'memory':
			return t('Memory');
		case 'browsers':
			return t('Browsers');
		default:
			return tab satisfies never;
	}
}
