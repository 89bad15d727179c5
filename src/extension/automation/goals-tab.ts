/** The tab *Goals*: every goal of this user, the newest first, with its steps and what can be done with it here. */
import * as vscode from 'vscode';
import { escapeToLine } from '../../base/text/one-line.ts';
import type { RoundLimits } from '../../features/goal/goal.ts';
import { formatRoundLimits, parseRoundLimits } from '../../features/goal/until/until-words.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { GoalRow, PageAction, RowAction } from '../../protocol/pages/capability-page.ts';
import { translateText } from '../../protocol/text/text.ts';
import { escapeToLines } from '../capabilities/pages/built-page.ts';
import { confirmLoss } from '../notices/notices.ts';
import { explainError } from '../notices/user-message.ts';
import { askAndAddGoal } from './add-goal.ts';
import { type BuiltAutomationTab, OfferedActs, showThreadInChat } from './built-tab.ts';

type ListedGoalStep = ListedGoal['steps'][number];

type HostGoals = TrustedBase['goals'];

export function goalsTab(register: HostGoals): BuiltAutomationTab {
	const { t } = vscode.l10n;
	const offered = new OfferedActs();
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
			actions: goalActs(register, goal, isHere).map(({ action, label, act }) =>
				offered.offer(action, label, goal.id, act),
			),
			steps: goal.steps.map((step) => ({
				number: step.number,
				text: escapeToLines(step.text),
				state: step.state === 'claimed' || step.state === 'started' ? 'running' : step.state,
				stateText: stepText(step),
				after: [...step.after],
				notes: notesOn(step, goal),
				// A step that waits again has failed before.
				...(step.reason === null || (step.state === 'waiting' && goal.until === undefined)
					? {}
					: { reason: escapeToLines(translateText(step.reason, (words) => t(words))) }),
				actions: isHere && isLeftToRetry(goal, step) ? offerOnStep(register, goal, step, offered) : [],
			})),
		};
	};
	return {
		summary: t(
			'Work of up to 8 steps that survives the end of this window. Each step is a turn in the thread of its goal.',
		),
		blocks: [
			{
				kind: 'goals',
				goals: register.list().map(createGoalRow),
				none: t('There are no goals. Add one, or write to the agent: “Make a goal of this: …”'),
			},
		],
		actions: [{ action: 'addGoal', label: t('Add Goal…'), act: () => askAndAddGoal(register) }],
		rowActions: offered.all,
	};
}

function offerOnStep(
	register: HostGoals,
	goal: ListedGoal,
	{ number }: ListedGoalStep,
	offered: OfferedActs,
): RowAction[] {
	const { t } = vscode.l10n;
	const { id } = goal;
	const on = `${id}/${number}`;
	return [
		offered.offer('retry', t('Run Again'), on, async () => {
			const limits = await askRoundLimits(goal);
			if (limits === undefined) return;
			await register.retry(id, number, limits);
			await register.start(id);
		}),
		offered.offer('markDone', t('Mark as Done'), on, async () => {
			await register.markDone(id, number);
			if (register.get(id).state === 'open') await register.start(id);
		}),
	];
}

/**
 * Asks for limits of a goal that may have ended at one of them; no change for any other goal. Undefined: the user left it.
 */
async function askRoundLimits({ until, state }: ListedGoal): Promise<Partial<RoundLimits> | undefined> {
	if (until === undefined || state !== 'failed') {
		return {};
	}
	const { t } = vscode.l10n;
	const words = await vscode.window.showInputBox({
		title: t('Run Again'),
		prompt: t('How much may it use now, from the beginning?'),
		value: formatRoundLimits(until.limits),
		validateInput(value) {
			try {
				parseRoundLimits(value);
				return undefined;
			} catch (error) {
				return explainError(error);
			}
		},
		ignoreFocusOut: true,
	});
	return words === undefined ? undefined : parseRoundLimits(words);
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
		default:
			return describeVerdict(state);
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
		default:
			return describeVerdict(state);
	}
}

function describeVerdict(state: 'done' | 'failed' | 'needsYou'): string {
	const { t } = vscode.l10n;
	switch (state) {
		case 'done':
			return t('Done');
		case 'failed':
			return t('Not done');
		case 'needsYou':
			return t('Needs you');
	}
}

function formatCount(count: number, fractionDigits = 0): string {
	return count.toLocaleString(vscode.env.language, {
		minimumFractionDigits: fractionDigits,
		maximumFractionDigits: Math.max(fractionDigits, 2),
	});
}

function notesOn({ after, attempts }: ListedGoalStep, { until, used }: ListedGoal): string[] {
	const { t } = vscode.l10n;
	if (until !== undefined) {
		const { rounds, tokens, cost, minutes } = until.limits;
		return [
			t('round {0} of {1}', attempts, rounds),
			until.check === null ? t('a model judges') : t('checked by {0}', escapeToLine(until.check)),
			t('{0} of {1} tokens', formatCount(used.tokens), formatCount(tokens)),
			t('{0} of {1} US dollars', formatCount(used.cost, 2), formatCount(cost)),
			t('{0} of {1} minutes', Math.ceil(used.ms / 60_000), minutes),
		];
	}
	return [
		...(after.length === 0 ? [] : [t('after {0}', after.join(', '))]),
		...(attempts > 1 ? [t('attempt {0}', attempts)] : []),
	];
}

export type ListedGoal = ReturnType<HostGoals['list']>[number];

interface GoalAct {
	readonly action: PageAction;
	readonly label: string;
	readonly act: () => Promise<unknown>;
}

/**
 * Lists the actions that the present state of a goal allows; the first is what one usually wants. `isHere`: its folder is
 * open.
 */
function goalActs(register: HostGoals, goal: ListedGoal, isHere: boolean): readonly GoalAct[] {
	const { t } = vscode.l10n;
	const { id, title, state, threadId, isFollowed, steps } = goal;
	const isWorkedOn = steps.some((step) => step.state === 'claimed' || step.state === 'started');
	const hasBegun = steps.some(({ attempts }) => attempts > 0);
	const start = () => register.start(id);
	const acts: readonly (GoalAct & { readonly when: boolean })[] = [
		{ action: 'start', label: t('Start'), act: start, when: isHere && state === 'open' && !isFollowed },
		// A goal that is resumed here also runs on in the next window.
		{ action: 'resume', label: t('Resume'), act: start, when: isHere && state === 'paused' },
		{
			action: 'pause',
			label: t('Pause'),
			act: () => register.pause(id),
			when: state === 'open' && (isFollowed || isWorkedOn),
		},
		{ action: 'showThread', label: t('Open Thread'), act: () => showThreadInChat(threadId), when: isHere && hasBegun },
		{
			action: 'cancel',
			label: t('Cancel Goal'),
			act: () => register.cancel(id),
			when: ['open', 'paused', 'failed', 'needsYou'].includes(state),
		},
		{
			action: 'delete',
			label: t('Delete…'),
			async act() {
				if (await confirmLoss(t('Delete this goal? Its thread and what was done stay.'), [title], t('Delete'))) {
					await register.delete(id);
				}
			},
			when: state !== 'open' || !(isFollowed || isWorkedOn),
		},
	];
	return acts.filter(({ when }) => when);
}

function isLeftToRetry({ state }: ListedGoal, step: ListedGoalStep): boolean {
	return state !== 'cancelled' && (step.state === 'failed' || step.state === 'needsYou');
}
