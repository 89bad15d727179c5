/** Goals in the hands of the user. Each change, and each step before it begins, is in the ledger. */
import { cutText } from '../../base/text/one-line.ts';
import { recordUserAct } from '../../trust/record/ledger/user-act.ts';
import type { ClaimedStep, Goal, NewGoal, PlannedStep, RoundLimits } from './goal.ts';
import { type TurnsOfHost, turnsOfHost } from '../schedule/turns-of-host.ts';
import { Goals } from './goals.ts';
import type { HostLedger, LedgerPort } from '../../trust/record/ledger/ledger.ts';
import type { PerformOp } from '../../contract/ops/perform-op.ts';
import type { ChangeTracker } from '../../contract/changes.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { AskForUser } from '../../contract/ask-for-user.ts';
import { goalLimits } from './limits.ts';

export interface GoalRegister extends Pick<
	Goals,
	'list' | 'get' | 'isHere' | 'run' | 'leftOpen' | 'elsewhere' | 'follow' | 'onDidChange' | 'onDidStart' | 'onDidEnd'
> {
	/** These reject with what `Goals` throws. */
	add(wanted: NewGoal): Promise<Goal>;
	start(id: string): Promise<void>;
	pause(id: string): Promise<void>;
	resume(id: string): Promise<void>;
	cancel(id: string): Promise<void>;
	delete(id: string): Promise<void>;
	/** `limits`: those of its rounds that change. */
	retry(id: string, step: number, limits?: Partial<RoundLimits>): Promise<void>;
	markDone(id: string, step: number): Promise<void>;
	replan(id: string, steps: readonly PlannedStep[]): Promise<void>;
}

type GoalLedger = Pick<LedgerPort, 'append'>;

/** Parts of a host that goals need to learn what happened, and whether a condition holds. */
export interface GoalParts {
	readonly ledger: Pick<HostLedger, 'append' | 'query'>;
	readonly perform: PerformOp;
	readonly ask: AskForUser;
	readonly changes: Pick<ChangeTracker, 'list' | 'hunks'>;
	/** Has a thread work in a worktree of its own, where the settings say so. */
	isolate(threadId: ThreadId, title: string, signal: AbortSignal): Promise<void>;
	/** Folder of the worktree that a thread works in; undefined: it works in the folder of its project. */
	folderOf(threadId: ThreadId): string | undefined;
}

/** Creates what carries out goals: turns as this host begins them, each step in the ledger. */
export function createGoals(host: TurnsOfHost, { ledger, perform, ask, changes, isolate, folderOf }: GoalParts): Goals {
	return new Goals({
		...turnsOfHost(host, undefined),
		async recordStep(claimed, signal) {
			await isolate(claimed.goal.threadId, claimed.goal.title, signal);
			await recordGoalStep(ledger, claimed);
		},
		async recordedFor(cause) {
			const rows = await ledger.query({ text: `for ${cause}`, limit: goalLimits.mostRecorded });
			return rows.filter(({ kind, decision }) => kind === 'outcome' && decision.includes(`for ${cause}`)).toReversed();
		},
		condition: {
			perform,
			ask,
			recorded: (threadId) => ledger.query({ threadId, kind: 'outcome', limit: goalLimits.mostRecorded }),
			folderOf,
			diff: (threadId) => describeChanges(threadId, changes),
			redact: (words) => host.redactor.redact(words),
		},
	});
}

export function goalRegister(goals: Goals, ledger: GoalLedger): GoalRegister {
	const recordGoalAct = <T>(what: string, input: string, params: Readonly<Record<string, unknown>>, work: () => T) =>
		recordUserAct(
			ledger,
			{ op: `goal.${what}`, input: cutText(input.replaceAll(/\s+/g, ' '), 300), params },
			() => what,
			async () => work(),
		);
	const createGoalChange = (what: 'start' | 'pause' | 'resume' | 'cancel' | 'delete') => (id: string) =>
		recordGoalAct(what, `${what} the goal ${id}: ${goals.get(id).title}`, { id }, () => goals[what](id));
	return {
		list: () => goals.list(),
		get: (id) => goals.get(id),
		leftOpen: () => goals.leftOpen(),
		elsewhere: (goal) => goals.elsewhere(goal),
		run: (id, watcher, signal) => goals.run(id, watcher, signal),
		add: (wanted) => recordGoalAct('add', `Goal: ${wanted.title}`, { ...wanted }, () => goals.add(wanted)),
		isHere: (goal) => goals.isHere(goal),
		follow: () => goals.follow(),
		onDidChange: goals.onDidChange,
		onDidStart: goals.onDidStart,
		onDidEnd: goals.onDidEnd,
		start: createGoalChange('start'),
		pause: createGoalChange('pause'),
		resume: createGoalChange('resume'),
		cancel: createGoalChange('cancel'),
		delete: createGoalChange('delete'),
		retry(id, step, limits = {}) {
			const changed = Object.entries(limits).map(([name, most]) => `, at most ${most} ${name}`);
			const input = `Retry step ${step} of ${id}${changed.join('')}`;
			return recordGoalAct('retry', input, { id, step, ...limits }, () => goals.retry(id, step, limits));
		},
		markDone: (id, step) =>
			recordGoalAct('mark', `Mark step ${step} of ${id} as done`, { id, step }, () => goals.markDone(id, step)),
		replan: (id, steps) =>
			recordGoalAct('replan', `Change the plan of ${id}`, { id, steps }, () => goals.replan(id, steps)),
	};
}

/** The lines that a thread has changed, file by file. */
async function describeChanges(threadId: ThreadId, changes: Pick<ChangeTracker, 'list' | 'hunks'>): Promise<string> {
	const files = await changes.list(threadId);
	const parts = await Promise.all(
		files.map(async ({ path }) => {
			const hunks = await changes.hunks(threadId, path);
			const lines = hunks.flatMap(({ line, removed, added }) => [
				`@@ line ${line}`,
				...removed.map((each) => `-${each.trimEnd()}`),
				...added.map((each) => `+${each.trimEnd()}`),
			]);
			return [path, ...lines].join('\n');
		}),
	);
	return parts.join('\n\n');
}

async function recordGoalStep(ledger: GoalLedger, { goal, step }: ClaimedStep): Promise<void> {
	await ledger.append(
		{
			kind: 'note',
			opId: null,
			op: 'goal.step',
			trigger: `goal:${goal.id}`,
			threadId: goal.threadId,
			risk: 'CONTROLLED',
			assessed: null,
			decision: 'allow (user): a step of a goal of the user',
			paramsHash: null,
			input: `Step ${step.number}, attempt ${step.attempts}: ${cutText(step.text.replaceAll(/\s+/g, ' '), 80)}`,
			output: null,
			status: null,
			durationMs: null,
		},
		true,
	);
}
