/** Goals in the editor: commands and a page; those that were started go on while it is open, and their end is told. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { CapabilityPages } from '../capabilities/pages/capability-pages.ts';
import { inform } from '../notices/notices.ts';
import { inBackground } from '../editor/signals.ts';
import type { ListedGoal } from '../capabilities/pages/goal-actions.ts';
import { createGoalCommands } from './goal-commands.ts';

interface GoalViewPorts {
	readonly log: LogPort;
	readonly pages: Pick<CapabilityPages, 'show' | 'refresh'>;
	base(): Promise<TrustedBase>;
}

export interface GoalViews {
	readonly commands: ReturnType<typeof createGoalCommands>;
	/** From now on goals that were started are worked on. */
	follow(base: TrustedBase): Disposable;
}

export function createGoalViews({ log, pages, base }: GoalViewPorts): GoalViews {
	return {
		commands: createGoalCommands({ base, pages }),
		follow({ goals }) {
			const store = new DisposableStore();
			store.add(goals.onDidChange(() => pages.refresh('goals')));
			store.add(goals.onDidEnd((goal) => inBackground(log, 'goal', tellGoalEnd(goal))));
			goals.follow();
			return store;
		},
	};
}

async function tellGoalEnd({ title, state, threadId }: ListedGoal): Promise<void> {
	const { t } = vscode.l10n;
	const [show, thread] = [t('Show Goals'), t('Open Thread')];
	const sentence =
		state === 'done' ? t('The goal is reached: {0}', title) : t('A step of the goal has failed: {0}', title);
	const chosen = await inform(sentence, show, thread);
	if (chosen === show) {
		await vscode.commands.executeCommand('prowess.showGoals');
	} else if (chosen === thread) {
		await vscode.commands.executeCommand('prowess.openThread', threadId);
	}
}
