/** *Goals*: every goal of this user, the newest first, with its steps and what can be done with it here. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { GoalRow, PageAction } from '../../../protocol/pages/capability-page.ts';
import { type BuiltPage, escapeToLines, type OfferedAction } from './built-page.ts';
import { actionsOn, type ListedGoal, describeGoalAction, stepId, stepsToRetry } from './goal-actions.ts';

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
				notes: notesOn(step),
				actions: (isHere ? stepsToRetry(goal) : [])
					.filter(({ number }) => number === step.number)
					.map(({ number }) => offerGoalAction('retry', 'prowess.retryGoalStep', stepId(goal.id, number))),
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
			return t('Failed');
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
			return t('Failed');
	}
}

function notesOn({ after, attempts }: ListedGoalStep): string[] {
	const { t } = vscode.l10n;
	return [
		...(after.length === 0 ? [] : [t('after {0}', after.join(', '))]),
		...(attempts > 1 ? [t('attempt {0}', attempts)] : []),
	];
}
