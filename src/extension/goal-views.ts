/**
 * Goals in the editor: commands and a page; those that were started go on while it is open, and their end is told. Each
 * command takes the id of a goal, or of a step of it; without one it asks which.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { LogPort } from '../contract/ports/ports.ts';
import type { RoundLimits } from '../features/goal/goal.ts';
import { readStep } from '../features/goal/plan-words.ts';
import { formatRoundLimits, parseRoundLimits } from '../features/goal/until/wanted-goal.ts';
import type { TrustedBase } from '../host/trusted-base.ts';
import type { CapabilityPages } from './capabilities/pages/capability-pages.ts';
import { actionsOn, type ListedGoal, stepId, stepsToRetry } from './capabilities/pages/goals-page.ts';
import type { GoalCommandId } from './editor/command-table.ts';
import { inBackground } from './editor/signals.ts';
import { translateText } from '../protocol/text/text.ts';
import { confirmLoss, inform, pickOrInform } from './notices/notices.ts';
import { explainError } from './notices/user-message.ts';

interface GoalViewPorts {
	readonly log: LogPort;
	readonly pages: Pick<CapabilityPages, 'show' | 'refresh'>;
	base(): Promise<TrustedBase>;
}

/** Goals in the editor: commands and a page; those that were started go on while it is open, and their end is told. */
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

async function tellGoalEnd({ title, state, threadId, until, steps }: ListedGoal): Promise<void> {
	const { t } = vscode.l10n;
	const [show, thread] = [t('Show Goals'), t('Open Thread')];
	const reason = steps[0]?.reason ?? null;
	const why = reason === null ? '' : translateText(reason, (words) => t(words));
	const sentence =
		state === 'done'
			? t('The goal is reached: {0}', title)
			: state === 'needsYou'
				? t('The goal needs you: {0}', title)
				: until === undefined
					? t('A step of the goal is not done: {0}', title)
					: t('"{0}" does not hold. {1}', title, why);
	const chosen = await inform(sentence, show, thread);
	if (chosen === show) {
		await vscode.commands.executeCommand('prowess.showGoals');
	} else if (chosen === thread) {
		await vscode.commands.executeCommand('prowess.openThread', threadId);
	}
}

interface GoalCommandPorts {
	base(): Promise<TrustedBase>;
	readonly pages: Pick<CapabilityPages, 'show'>;
}

type GoalCommands = { readonly [C in GoalCommandId]: (on?: unknown) => Promise<void> };
type HostGoals = TrustedBase['goals'];

/** Steps that are asked for; more are none of a goal. */
const MAX_ASKED_STEPS = 8;

function createGoalCommands({ base, pages }: GoalCommandPorts): GoalCommands {
	const showGoalsPage = () => pages.show({ kind: 'goals', of: '', title: vscode.l10n.t('Goals') });
	const acts =
		(command: GoalCommandId, act: (goals: HostGoals, goal: ListedGoal) => Promise<unknown>) => async (on?: unknown) => {
			const { goals } = await base();
			const goal = await pickGoal(goals, command, on);
			if (goal !== undefined) {
				await act(goals, goal);
			}
		};
	return {
		'prowess.showGoals': async () => {
			await base();
			showGoalsPage();
		},
		'prowess.addGoal': async () => {
			const { goals } = await base();
			if (await askAndAddGoal(goals)) {
				showGoalsPage();
			}
		},
		'prowess.startGoal': acts('prowess.startGoal', (goals, { id }) => goals.start(id)),
		// A goal that is resumed here also runs on in the next window.
		'prowess.resumeGoal': acts('prowess.resumeGoal', (goals, { id }) => goals.start(id)),
		'prowess.pauseGoal': acts('prowess.pauseGoal', (goals, { id }) => goals.pause(id)),
		'prowess.cancelGoal': acts('prowess.cancelGoal', (goals, { id }) => goals.cancel(id)),
		'prowess.showGoalThread': acts('prowess.showGoalThread', async (_, { threadId }) => {
			await vscode.commands.executeCommand('prowess.openThread', threadId);
		}),
		'prowess.deleteGoal': acts('prowess.deleteGoal', async (goals, { id, title }) => {
			const { t } = vscode.l10n;
			if (await confirmLoss(t('Delete this goal? Its thread and what was done stay.'), [title], t('Delete'))) {
				await goals.delete(id);
			}
		}),
		'prowess.retryGoalStep': async (on) => {
			const { goals } = await base();
			const picked = await pickStep(goals, on);
			if (picked !== undefined) {
				const limits = await askRoundLimits(picked.goal);
				if (limits === undefined) return;
				await goals.retry(picked.goal.id, picked.number, limits);
				await goals.start(picked.goal.id);
			}
		},
		'prowess.markGoalStep': async (on) => {
			const { goals } = await base();
			const picked = await pickStep(goals, on);
			if (picked !== undefined) {
				await goals.markDone(picked.goal.id, picked.number);
				if (goals.get(picked.goal.id).state === 'open') await goals.start(picked.goal.id);
			}
		},
	};
}

/** Limits for the rounds of a goal that may have ended at one of them; no change for any other goal. Undefined: the user left it. */
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

/** False: the user left it. */
async function askAndAddGoal(goals: HostGoals): Promise<boolean> {
	const { t } = vscode.l10n;
	const folder = vscode.workspace.workspaceFolders?.[0];
	if (folder === undefined) {
		inform(t('Open a folder first: a goal belongs to one.'));
		return false;
	}
	const title = await vscode.window.showInputBox({
		title: t('Add Goal'),
		prompt: t('What is to be reached?'),
		ignoreFocusOut: true,
	});
	const steps: ReturnType<typeof readStep>[] = [];
	while (title && steps.length < MAX_ASKED_STEPS) {
		const words = await vscode.window.showInputBox({
			title: t('Add Goal: step {0}', steps.length + 1),
			prompt:
				steps.length === 0
					? t('What is to be done first?')
					: t('And then? Leave it empty when that is all. "(after 1, 2)" at the end: it waits for these steps.'),
			ignoreFocusOut: true,
		});
		if (words === undefined) return false;
		if (words.trim() === '') break;
		steps.push(readStep(words, steps.length + 1));
	}
	if (!title || steps.length === 0) return false;
	await goals.add({ title, folder: folder.uri.fsPath, mode: 'agent', steps });
	return true;
}

async function pickGoal(goals: HostGoals, command: GoalCommandId, on: unknown): Promise<ListedGoal | undefined> {
	if (typeof on === 'string') {
		return goals.get(on);
	}
	const fitting = goals
		.list()
		.filter((goal) => actionsOn(goal, goals.isHere(goal)).some((act) => act.command === command));
	const items = fitting.map((goal) => ({ label: goal.title, description: goal.state, goal }));
	const none = vscode.l10n.t('No goal is in a state for this command.');
	return (await pickOrInform(items, none, { title: vscode.l10n.t('Goals') }))?.goal;
}

async function pickStep(
	goals: HostGoals,
	on: unknown,
): Promise<{ readonly goal: ListedGoal; readonly number: number } | undefined> {
	const failed = goals
		.list()
		.filter((goal) => goals.isHere(goal))
		.flatMap((goal) =>
			stepsToRetry(goal).map(({ number, text }) => ({ label: text, description: goal.title, goal, number })),
		);
	if (typeof on === 'string') {
		return failed.find(({ goal, number }) => stepId(goal.id, number) === on);
	}
	return await pickOrInform(failed, vscode.l10n.t('No step is left to run again.'), {
		title: vscode.l10n.t('Run Again'),
	});
}
