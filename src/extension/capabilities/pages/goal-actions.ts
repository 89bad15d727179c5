/**
 * Lists the actions that the present state of a goal allows; the page, the palette and the pick lists offer the same.
 */
import * as vscode from 'vscode';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { PageAction } from '../../../protocol/pages/capability-page.ts';
import type { GoalCommandId } from '../../editor/command-table.ts';

export type ListedGoal = ReturnType<TrustedBase['goals']['list']>[number];

interface GoalAct {
	readonly action: PageAction;
	readonly command: GoalCommandId;
}

/** `isHere`: its folder is open. The first is what one usually wants. */
export function actionsOn(goal: ListedGoal, isHere: boolean): readonly GoalAct[] {
	const { state, isFollowed, steps } = goal;
	const isWorkedOn = steps.some((step) => step.state === 'claimed' || step.state === 'started');
	const hasBegun = steps.some(({ attempts }) => attempts > 0);
	const acts: readonly (GoalAct & { readonly when: boolean })[] = [
		{ action: 'start', command: 'prowess.startGoal', when: isHere && state === 'open' && !isFollowed },
		{ action: 'resume', command: 'prowess.resumeGoal', when: isHere && state === 'paused' },
		{ action: 'pause', command: 'prowess.pauseGoal', when: state === 'open' && (isFollowed || isWorkedOn) },
		{ action: 'showThread', command: 'prowess.showGoalThread', when: isHere && hasBegun },
		{ action: 'cancel', command: 'prowess.cancelGoal', when: ['open', 'paused', 'failed'].includes(state) },
		{ action: 'delete', command: 'prowess.deleteGoal', when: state !== 'open' || !(isFollowed || isWorkedOn) },
	];
	return acts.filter(({ when }) => when);
}

export function stepsToRetry({ state, steps }: ListedGoal): ListedGoal['steps'] {
	return state === 'cancelled' ? [] : steps.filter((step) => step.state === 'failed');
}

/** Name of one step, for a command. */
export function stepId(goalId: string, number: number): string {
	return `${goalId}/${number}`;
}

export function describeGoalAction(action: PageAction): string {
	const { t } = vscode.l10n;
	switch (action) {
		case 'start':
			return t('Start');
		case 'resume':
			return t('Resume');
		case 'pause':
			return t('Pause');
		case 'showThread':
			return t('Open Thread');
		case 'cancel':
			return t('Cancel Goal');
		case 'delete':
			return t('Delete…');
		case 'retry':
			return t('Retry Step');
		default:
			return action;
	}
}
