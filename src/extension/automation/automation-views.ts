/** Commands of *Automation*, and the events that make its page show the present state and tell of what has ended. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LogPort, WorkspacePort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { AutomationTab } from '../../protocol/pages/capability-page.ts';
import { toSentence } from '../../protocol/errors/error-text.ts';
import { translateText } from '../../protocol/text/text.ts';
import type { BuiltPage } from '../capabilities/pages/built-page.ts';
import type { CapabilityPages } from '../capabilities/pages/capability-pages.ts';
import type { AutomationCommandId } from '../editor/command-table.ts';
import { extensionLimits } from '../editor/limits.ts';
import { inBackground } from '../editor/signals.ts';
import type { Activity } from '../notices/activity.ts';
import { inform } from '../notices/notices.ts';
import type { AutomationSources } from './automation-page.ts';
import { showThreadInChat } from './built-tab.ts';
import { followSchedules } from './follow-schedules.ts';
import type { ListedGoal } from './goals-tab.ts';
import { runScriptFile } from './run-script.ts';

interface AutomationViewPorts {
	readonly log: LogPort;
	readonly workspace: WorkspacePort;
	readonly pages: Pick<CapabilityPages, 'show' | 'refresh'>;
	readonly activity: Pick<Activity, 'onDidChange' | 'onDidChangeThreads' | 'onDidAct'>;
	base(): Promise<TrustedBase>;
	showChat(): Promise<void>;
}

export interface AutomationViews {
	readonly commands: { readonly [C in AutomationCommandId]: (on?: unknown) => Promise<void> };
	/** From now on what was started, and what falls due, is worked on. */
	follow(base: TrustedBase): Disposable;
}

export function createAutomationViews(ports: AutomationViewPorts): AutomationViews {
	const { log, workspace, pages, activity, base, showChat } = ports;
	const refreshPage = () => pages.refresh('automation');
	return {
		commands: {
			/** `on`: a tab; without it the first. */
			'prowess.showAutomation': async (on) => {
				await base();
				const of = AutomationTab.catch('agents').parse(on);
				pages.show({ kind: 'automation', of, title: vscode.l10n.t('Automation') });
			},
			'prowess.runScript': async (on) => {
				const { scripts, desk } = await base();
				await runScriptFile({ scripts, desk, showChat }, on);
			},
		},
		follow({ goals, schedules, memory, desk, agents, changes }) {
			const store = new DisposableStore();
			let soon: NodeJS.Timeout | undefined;
			// Much happens there, and the list is long.
			const refreshAgents = () => {
				soon ??= setTimeout(() => {
					soon = undefined;
					pages.refresh('automation', 'agents');
				}, extensionLimits.agentRowsRefreshMs);
			};
			store.add({ dispose: () => clearTimeout(soon) });
			store.add(desk.onDidChange(refreshPage));
			store.add(agents.onDidChange(refreshAgents));
			store.add(changes.onDidChange(refreshAgents));
			store.add(activity.onDidChange(refreshAgents));
			store.add(activity.onDidChangeThreads(refreshAgents));
			store.add(activity.onDidAct(refreshAgents));
			store.add(goals.onDidChange(refreshPage));
			store.add(schedules.onDidChange(refreshPage));
			store.add(memory.onDidChange(refreshPage));
			store.add(workspace.onDidChange(refreshPage));
			store.add(goals.onDidEnd((goal) => inBackground(log, 'goal', tellGoalEnd(goal))));
			goals.follow();
			store.add(followSchedules(schedules, log));
			return store;
		},
	};
}

/** Makes a tab of the page, whose code waits for the first. */
export function automationTabs(sources: Omit<AutomationSources, 'pairing'>): (tab: string) => Promise<BuiltPage> {
	const pairing = {};
	return async (tab) => (await import('./automation-page.ts')).automationPage(tab, { ...sources, pairing });
}

async function tellGoalEnd({ title, state, threadId, until, steps }: ListedGoal): Promise<void> {
	const { t } = vscode.l10n;
	const [show, thread] = [t('Show Goals'), t('Open Thread')];
	const why = steps.find((step) => step.state === 'failed' || step.state === 'needsYou')?.reason ?? null;
	const sentence =
		state === 'done'
			? t('The goal is reached: {0}', title)
			: state === 'needsYou'
				? t('The goal needs you: {0}', title)
				: until === undefined
					? t('A step of the goal is not done: {0}', title)
					: t('"{0}" does not hold.', title);
	const told = why === null ? sentence : `${toSentence(sentence)} ${translateText(why, (words) => t(words))}`;
	const chosen = await inform(told, show, thread);
	if (chosen === show) {
		await vscode.commands.executeCommand('prowess.showAutomation', 'goals');
	} else if (chosen === thread) {
		await showThreadInChat(threadId);
	}
}
