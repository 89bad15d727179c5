/** `prowess goal …`. Only `run` starts a server and reads a project. */
import { joinToLine } from '../../base/text/one-line.ts';
import type { Goal, GoalStep, GoalWatcher } from '../../features/goal/goal.ts';
import { readStep } from '../../features/goal/plan-words.ts';
import { readGivenLimits } from '../../features/goal/until/wanted-goal.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { Mode } from '../../protocol/thread/thread.ts';
import { isTrusted } from '../home/trusted-folders.ts';
import { isExistingFolder } from '../../machine/paths/is-folder.ts';
import { namedFolder, readApprovalMode } from '../invocation/workspace-option.ts';
import { withHost } from '../ports/cli-host.ts';
import { openHome } from '../home/home-folder.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { followRunSteps } from '../terminal/run-step-line.ts';
import { UsageError } from '../terminal/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { visibleLine } from '../terminal/visible.ts';
import { formatJson, printResult, printRows } from '../invocation/print-result.ts';

/** `prowess goal run`: works on one goal in its folder. */
export const runGoal: CommandAction = async (invocation, context) => {
	const { terminal, signal } = context;
	const id = invocation.operands[0] ?? '';
	const approvalMode = readApprovalMode(invocation, terminal, 'goal run');
	const ours = { workspace: undefined, approvalMode: 'never' } as const;
	const { folder } = await withHost(invocation, context, ours, async (host) =>
		(await host.trustedBase()).goals.get(id),
	);
	if (!(isExistingFolder(folder) && isTrusted(openHome(context.environment), folder))) {
		terminal.err(
			`${visibleLine(folder)} is gone or is not trusted. Trust it with "prowess capability list --trust".\n`,
		);
		return exitCodes.failed;
	}
	return await withHost(invocation, context, { workspace: folder, approvalMode }, async (host) => {
		return await workOnGoal(await host.trustedBase(), id, {
			terminal,
			signal,
			isJson: invocation.switches.has('json'),
		});
	});
};

/** Works on a goal, and says each step or round, the steps of capabilities that run in it, and the end. Resolves with the exit code. */
export async function workOnGoal(
	{ goals, worktrees }: Pick<TrustedBase, 'goals' | 'worktrees'>,
	id: string,
	{ terminal, signal, isJson }: Pick<CommandContext, 'terminal' | 'signal'> & { readonly isJson: boolean },
): Promise<number> {
	const shown = showGoal(terminal);
	const said: GoalWatcher = {
		onStep(claimed) {
			shown.onStep?.(claimed);
			const { number, attempts, reason } = claimed.step;
			const missing = reason === null ? null : inEnglish(reason);
			if (isJson) terminal.out(`${JSON.stringify({ type: 'step', number, attempt: attempts, missing })}\n`);
		},
		onEvent(event) {
			shown.onEvent?.(event);
			if (isJson && event.type === 'item.step') terminal.out(`${JSON.stringify(event)}\n`);
		},
	};
	const goal = await goals.run(id, said, signal);
	const other = goals.elsewhere(goal);
	if (other !== undefined) {
		const { number, pid, host: its } = other;
		terminal.err(`${visibleLine(`Step ${number} is worked on by process ${pid} on ${its}.`)}\n`);
	}
	terminal.out(isJson ? `${JSON.stringify({ type: 'end', ...toPlainGoal(goal) })}\n` : goalLines(goal));
	const place = worktrees.placeOf(goal.threadId);
	if (place !== undefined) {
		terminal.err(
			`Its work is in the worktree ${place.name}. Bring it home with: prowess worktree apply ${place.name}\n`,
		);
	}
	if (goal.until !== undefined && goal.state === 'failed') {
		terminal.err(
			`To go on with other limits: "prowess goal retry ${id} 1 --rounds N" (or --tokens, --cost, --minutes), then "prowess goal run ${id}".\n`,
		);
	}
	return goal.state === 'done' ? exitCodes.done : goal.state === 'needsYou' ? exitCodes.needsYou : exitCodes.failed;
}

/** Says the steps of a goal as they begin, and those of capabilities that run in it, on standard error. */
export function showGoal(terminal: Pick<Terminal, 'err'>): GoalWatcher {
	const newStepLine = followRunSteps();
	return {
		onStep: ({ step, goal }) => terminal.err(`${stepLine(step, goal)}\n`),
		onEvent: (event) => {
			if (event.type === 'item.step') terminal.err(newStepLine(event) ?? '');
		},
	};
}

export const addGoalCommand: CommandAction = (invocation, context) =>
	withGoals(invocation, context, async (goals) => {
		const steps = (invocation.lists['step'] ?? []).map((words, at) => readStep(words, at + 1));
		const goal = await goals.add({
			title: invocation.operands[0] ?? '',
			mode: Mode.parse(invocation.values['mode'] ?? 'agent'),
			steps,
			folder: namedFolder(invocation, openHome(context.environment), 'goal add'),
		});
		printResult(invocation, context, toPlainGoal(goal), `${goal.id}\n`);
	});

export const listGoals: CommandAction = (invocation, context) =>
	withGoals(invocation, context, (goals) => {
		const none = 'There are no goals. Add one with "prowess goal add".\n';
		if (invocation.switches.has('json')) {
			context.terminal.out(formatJson(goals.list().map(toPlainGoal)));
		} else {
			printRows(invocation, context, goals.list(), { format: goalLines, none });
		}
	});

export const replanGoal: CommandAction = (invocation, context) =>
	onGoal(invocation, context, (goals, { id, steps }) => {
		const done = steps.filter(({ state }) => state === 'done').length;
		const wanted = (invocation.lists['step'] ?? []).map((words, at) => readStep(words, done + at + 1));
		return goals.replan(id, wanted);
	});

export const retryStep: CommandAction = (invocation, context) =>
	onGoal(invocation, context, (goals, { id }) =>
		goals.retry(id, readStepNumber(invocation, 'goal retry'), readGivenLimits(invocation.values)),
	);

export const markStep: CommandAction = (invocation, context) =>
	onGoal(invocation, context, (goals, { id }) => goals.markDone(id, readStepNumber(invocation, 'goal mark')));

function readStepNumber({ operands }: Invocation, command: string): number {
	const step = Number(operands[1]);
	if (!Number.isInteger(step)) {
		throw new UsageError(`${command}: expected the number of a step; got "${operands[1] ?? ''}"`);
	}
	return step;
}

export const pauseGoal: CommandAction = (invocation, context) =>
	onGoal(invocation, context, (goals, { id }) => goals.pause(id));
export const resumeGoal: CommandAction = (invocation, context) =>
	onGoal(invocation, context, (goals, { id }) => goals.resume(id));
export const cancelGoal: CommandAction = (invocation, context) =>
	onGoal(invocation, context, (goals, { id }) => goals.cancel(id));
export const deleteGoal: CommandAction = (invocation, context) =>
	onGoal(invocation, context, (goals, { id }) => goals.delete(id));

/** A goal with its reasons in words. */
function toPlainGoal(goal: Goal): object {
	const steps = goal.steps.map((step) => ({ ...step, reason: step.reason === null ? null : inEnglish(step.reason) }));
	return { ...goal, steps };
}

export type BaseGoals = TrustedBase['goals'];

function onGoal(
	invocation: Invocation,
	context: CommandContext,
	change: (goals: BaseGoals, goal: Goal) => Promise<void>,
): Promise<number> {
	return withGoals(invocation, context, async (goals) => {
		const goal = goals.get(invocation.operands[0] ?? '');
		await change(goals, goal);
		const now = goals.list().find(({ id }) => id === goal.id);
		context.terminal.err(now === undefined ? `Deleted: ${visibleLine(goal.title)}\n` : goalLines(now));
	});
}

function withGoals(
	invocation: Invocation,
	context: CommandContext,
	work: (goals: BaseGoals) => Promise<void> | void,
): Promise<number> {
	return withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		await work((await host.trustedBase()).goals);
		return exitCodes.done;
	});
}

/** A goal in the terminal: its state, and a line for each step. */
export function goalLines(goal: Goal): string {
	const { id, title, state, folder, steps } = goal;
	const done = steps.filter((step) => step.state === 'done').length;
	const head = `${id}  ${visibleLine(title)}\n    ${STATE_WORDS[state]}, ${done} of ${steps.length} done, ${visibleLine(folder)}\n`;
	return head + steps.map((step) => `    ${stepLine(step, goal)}\n`).join('');
}

const STATE_WORDS: { readonly [S in Goal['state']]: string } = {
	open: 'open',
	paused: 'paused',
	cancelled: 'cancelled',
	done: 'done',
	failed: 'not done',
	needsYou: 'needs you',
};

function stepLine({ number, state, text, attempts, reason }: GoalStep, { until }: Pick<Goal, 'until'>): string {
	// Show a claimed step as running: to a reader it makes no difference that a process has taken it before its message
	// is there.
	const shown =
		state === 'claimed' || state === 'started' ? 'running' : state === 'waiting' ? state : STATE_WORDS[state];
	const times =
		until !== undefined ? `, round ${attempts} of ${until.limits.rounds}` : attempts > 1 ? `, attempt ${attempts}` : '';
	// Hide why an earlier attempt failed while a step is tried again; what a round lacks is shown while the next one runs.
	const isOld = until === undefined && (shown === 'running' || shown === 'waiting');
	// A check says several lines.
	const why = reason === null || isOld ? '' : `: ${visibleLine(joinToLine(inEnglish(reason)))}`;
	return `${number}. [${shown}${times}] ${visibleLine(text)}${why}`;
}
