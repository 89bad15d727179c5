/** *Goals*: every goal of this user, the newest first, with its steps and what can be done with it here. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import { translateText } from '../../../protocol/text/text.ts';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { GoalRow, PageAction } from '../../../protocol/pages/capability-page.ts';
import type { GoalCommandId } from '../../editor/command-table.ts';
import { type BuiltPage, escapeToLines, type OfferedAction } from './built-page.ts';

type ListedGoalStep = ListedGoal['steps'][number];

export function goalsPage(register: Pick<TrustedBase['goals'], 'list' | 'isHere'>): BuiltPage {
	const { t } = vscode.l10n;
	const offered = new Map<string, OfferedAction>();
	const offerGoalAction = (action: PageAction, command: OfferedAction['command'], on: string) => {
		const label = describeGoalAction(action);
		const id = `${action} ${on}`;
		offered.set(id, { action, label, command, on });
		return { action, label, on: id };
	};
	const createGoalRow = (goal: ListedGoal): GoalRow => {
		const isHere = register.isHere(goal);
		const done = goal.steps.filter(({ state }) => state === 'done').length;
		return {
			id: goal.id,
			title: escapeToLine(goal.title),
			state: goal.state,
			stateText: t('{0} · {1} of {2} steps done', describeGoalState(goal), done, goal.steps.length),
			done,
			notes: isHere ? [] : [t('Belongs to {0}. Open that folder to go on.', escapeToLine(goal.folder))],
			actions: actionsOn(goal, isHere).map(({ action, command }) => offerGoalAction(action, command, goal.id)),
			steps: goal.steps.map((step) => ({
				number: step.number,
				text: escapeToLines(step.text),
				state: step.state === 'claimed' || step.state === 'started' ? 'running' : step.state,
				stateText: stepText(step),
				after: [...step.after],
				notes: notesOn(step, goal),
				...(step.reason === null ? {} : { reason: escapeToLines(translateText(step.reason, (words) => t(words))) }),
				actions: (isHere ? stepsToRetry(goal) : [])
					.filter(({ number }) => number === step.number)
					.flatMap(({ number }) => [
						offerGoalAction('retry', 'prowess.retryGoalStep', stepId(goal.id, number)),
						offerGoalAction('markDone', 'prowess.markGoalStep', stepId(goal.id, number)),
					]),
			})),
		};
	};
	return {
		content: {
			title: t('Goals'),
			kicker: '',
			summary: t(
				'Work of up to 8 steps that survives the end of this window. Each step is a turn in the thread of its goal.',
			),
			blocks: [
				{
					kind: 'goals',
					goals: register.list().map(createGoalRow),
					none: t('There are no goals. Add one, or describe several steps to the agent.'),
				},
			],
		},
		actions: [{ action: 'addGoal', label: t('Add Goal…'), command: 'prowess.addGoal', on: undefined }],
		rowActions: offered,
	};
}

function describeGoalState({ state, isFollowed, steps }: ListedGoal): string {
	const { t } = vscode.l10n;
	switch (state) {
		case 'open':
			return isFollowed || steps.some((step) => step.state === 'started') ? t('In progress') : t('Not started');
		case 'paused':
			return t('Paused');
		case 'cancelled':
			return t('Cancelled');
		case 'done':
			return t('Done');
		case 'failed':
			return t('Not done');
		case 'needsYou':
			return t('Needs you');
	}
}

function stepText({ state }: ListedGoalStep): string {
	const { t } = vscode.l10n;
	switch (state) {
		case 'waiting':
			return t('Waiting');
		case 'claimed':
		case 'started':
			return t('In progress');
		case 'done':
			return t('Done');
		case 'failed':
			return t('Not done');
		case 'needsYou':
			return t('Needs you');
	}
}

function notesOn({ after, attempts }: ListedGoalStep, { until, used }: ListedGoal): string[] {
	const { t } = vscode.l10n;
	if (until !== undefined) {
		const { rounds, tokens, cost, minutes } = until.limits;
		return [
			t('round {0} of {1}', attempts, rounds),
			until.check === null ? t('a model judges') : t('checked by {0}', escapeToLine(until.check)),
			t('{0} of {1} tokens', used.tokens, tokens),
			t('{0} of {1} US dollars', used.cost.toFixed(2), cost),
			t('{0} of {1} minutes', Math.ceil(used.ms / 60_000), minutes),
		];
	}
	return [
		...(after.length === 0 ? [] : [t('after {0}', after.join(', '))]),
		...(attempts > 1 ? [t('attempt {0}', attempts)] : []),
	];
}

/**
 * Lists the actions that the present state of a goal allows; the page, the palette and the pick lists offer the same.
 */
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
		{ action: 'cancel', command: 'prowess.cancelGoal', when: ['open', 'paused', 'failed', 'needsYou'].includes(state) },
		{ action: 'delete', command: 'prowess.deleteGoal', when: state !== 'open' || !(isFollowed || isWorkedOn) },
	];
	return acts.filter(({ when }) => when);
}

export function stepsToRetry({ state, steps }: ListedGoal): ListedGoal['steps'] {
	return state === 'cancelled' ? [] : steps.filter((step) => step.state === 'failed' || step.state === 'needsYou');
}

/** Name of one step, for a command. */
export function stepId(goalId: string, number: number): string {
	return `${goalId}/${number}`;
}

function describeGoalAction(action: PageAction): string {
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
			return t('Run Again');
		case 'markDone':
			return t('Mark as Done');
		default:
			return action;
	}
}
