/** Goals of a home, as this host sees and carries them out. No file exists until the first goal is added. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { Emitter } from '../../base/emitter.ts';
import { resolveProjectKey } from '../../machine/home-files/project-name.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish, joinTexts, type Text, text } from '../../protocol/text/text.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import type { ClaimHolder } from '../../store/threads/lease-holder.ts';
import { parseProcessName } from '../../store/threads/process-lease-holder.ts';
import { claimLost } from '../../contract/claim-lost.ts';
import type { LogPort, WorkspacePort } from '../../contract/ports/ports.ts';
import type { TurnPorts } from '../schedule/scheduled-turn.ts';
import type { ClaimedStep, Goal, GoalVerdict, GoalWatcher, NewGoal, PlannedStep, RoundLimits } from './goal.ts';
import { carryOutStep, createGoalStateError } from './carry-out-step.ts';
import { GoalFollower } from './goal-follower.ts';
import { goalMigrations } from './goal-migrations.ts';
import { GoalStore } from './goal-store.ts';
import { goalLimits } from './limits.ts';
import { checkPlanSteps } from './plan-critic.ts';
import type { RecordedOp } from './step-evidence.ts';
import { agreeToCheck } from './until/check-scripts.ts';
import type { ConditionPorts } from './until/condition-check.ts';
import { createCause } from './work-on-step.ts';

interface GoalsDeps {
	readonly home: string;
	readonly holder: ClaimHolder;
	readonly turns: TurnPorts;
	readonly workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>;
	readonly log: Pick<LogPort, 'error'>;
	redact(text: string): string;
	/** Records that a step begins. Rejects where that cannot be recorded: then it does not begin. */
	recordStep(claimed: ClaimedStep, signal: AbortSignal): Promise<void>;
	/** Outcomes of ops that the ledger has for that cause, oldest first. */
	recordedFor(cause: string): Promise<readonly RecordedOp[]>;
	readonly condition: ConditionPorts;
}

const GOALS_FILE = 'goals.db';

export class Goals {
	readonly #deps: GoalsDeps;
	readonly #path: string;
	readonly #changed = new Emitter<void>();
	readonly #started = new Emitter<Goal>();
	readonly #ended = new Emitter<Goal>();
	readonly #follower: GoalFollower;
	#opened: GoalStore | undefined;
	/** Fires when this host or another process has changed a goal. */
	readonly onDidChange = this.#changed.event;
	/** Fires when a goal was started in this host. */
	readonly onDidStart = this.#started.event;
	/** This host has worked on it, and it is done or has failed. */
	readonly onDidEnd = this.#ended.event;

	constructor(deps: GoalsDeps) {
		this.#deps = deps;
		this.#path = join(deps.home, GOALS_FILE);
		this.#follower = new GoalFollower({
			log: deps.log,
			list: () => this.list(),
			isHere: (goal) => this.isHere(goal),
			run: (id, signal) => this.run(id, {}, signal),
			version: () => (this.#isEmpty ? 0 : this.#store.version()),
			onChanged: () => this.#changed.fire(),
		});
	}

	/** Throws INVALID_PARAMS for a plan that cannot be carried out, SECRETS_IN_MESSAGE, and INVALID_STATE when there are too many. */
	add(wanted: NewGoal): Goal {
		this.check(wanted);
		const id = `goal_${v7()}`;
		const { title, mode, steps } = wanted;
		const named = title.trim().slice(0, goalLimits.titleChars);
		const folder = realpathSync.native(wanted.folder);
		this.#store.add(id, { title: named, folder, mode, steps, until: agreeToCheck(wanted.until, folder) });
		this.#tell();
		return this.get(id);
	}

	/** Throws what `add` would. */
	check({ title, steps }: Pick<NewGoal, 'title' | 'steps'>): void {
		if (title.trim() === '') {
			throw new ProwessError('INVALID_PARAMS', 'a goal needs a title', { said: text('A goal needs a title.') });
		}
		checkPlanSteps(steps);
		this.#refuseSecrets([title, ...steps.map(({ text }) => text)].join('\n'));
		if (this.list().length >= goalLimits.mostGoals) {
			throw new ProwessError('INVALID_STATE', `there are ${goalLimits.mostGoals} goals, which is the most`, {
				said: text('There are {n} goals, which is the most.', { n: goalLimits.mostGoals }),
			});
		}
	}

	/**
	 * Returns the folder for goals that are planned here: the first of the workspace. Undefined when none is open, or
	 * the workspace is not trusted.
	 */
	folder(): string | undefined {
		const { folders, isTrusted } = this.#deps.workspace;
		return isTrusted ? folders[0]?.path : undefined;
	}

	list(): readonly Goal[] {
		return this.#isEmpty ? [] : this.#store.list();
	}

	/** Throws NOT_FOUND. */
	get(id: string): Goal {
		const goal = this.#isEmpty ? undefined : this.#store.get(id);
		if (goal === undefined) {
			throw new ProwessError('NOT_FOUND', `there is no goal ${id}`, {
				id,
				said: text('There is no goal {id}. `prowess goal list` and the page Automation show those that there are.', {
					id,
				}),
			});
		}
		return goal;
	}

	/** Started or begun, neither paused nor at their end, and no process that lives works on them. */
	leftOpen(): readonly Goal[] {
		return this.list().filter(
			(goal) =>
				goal.state === 'open' &&
				(goal.isFollowed || goal.steps.some(({ attempts }) => attempts > 0)) &&
				this.#store.workedOn(goal) === undefined,
		);
	}

	/** Step that another process works on, and which. */
	elsewhere(goal: Goal): { readonly number: number; readonly pid: number; readonly host: string } | undefined {
		const step = this.#store.workedOn(goal);
		return step === undefined || step.owner === this.#deps.holder.owner
			? undefined
			: { number: step.number, pid: parseProcessName(step.owner).pid, host: parseProcessName(step.owner).host };
	}

	/** True when the goal's folder is open in this host, and trusted. */
	isHere({ folder }: Pick<Goal, 'folder'>): boolean {
		const { folders, isTrusted } = this.#deps.workspace;
		return isTrusted && folders.some(({ path }) => resolveProjectKey(path) === folder);
	}

	/** From now on this host, or another that stays and has the folder open, works on it by itself. */
	start(id: string): void {
		const { state, folder } = this.get(id);
		if (state !== 'open' && state !== 'paused') {
			const said = text('This goal cannot be started now.');
			throw createGoalStateError(id, `${id} is ${state}, so it cannot be started`, said);
		}
		if (!this.isHere({ folder })) {
			const said = text('This goal belongs to {folder}, which is not open here.', { folder });
			throw createGoalStateError(id, `${id} belongs to ${folder}, which is not open here`, said);
		}
		this.#store.follow(id);
		this.#started.fire(this.get(id));
		this.#tell();
	}

	/** The step that runs ends; the next one does not begin. */
	pause(id: string): void {
		this.#from(id, ['open'], 'paused');
	}

	resume(id: string): void {
		this.#from(id, ['paused'], 'open');
	}

	/** Stops the step that runs, in whichever process; what is done stays done. */
	cancel(id: string): void {
		this.#from(id, ['open', 'paused', 'failed', 'needsYou'], 'cancelled');
	}

	/**
	 * Has a step that is not done, or needs the user, worked on again; they agree to its check as it is now. `limits`: those
	 * of its rounds that change. Throws INVALID_STATE for any other step, and INVALID_PARAMS for limits of what has no rounds.
	 */
	retry(id: string, number: number, limits: Partial<RoundLimits> = {}): void {
		const { state, until, folder } = this.get(id);
		if (until === undefined && Object.keys(limits).length > 0) {
			const said = text('Only a goal that works until a condition holds has limits.');
			throw new ProwessError('INVALID_PARAMS', `${id} has steps and no rounds, so it has no limits`, { id, said });
		}
		const again = until && { ...until, limits: { ...until.limits, ...limits } };
		if (state === 'cancelled' || !this.#store.retry(id, number, agreeToCheck(again, folder))) {
			throw createStepStateError(id, number);
		}
		this.#tell();
	}

	/** Counts a step that is not done, or needs the user, as done. Throws INVALID_STATE for any other. */
	markDone(id: string, number: number): void {
		const reason = text('You marked it as done.');
		if (this.get(id).state === 'cancelled' || !this.#store.markDone(id, number, reason)) {
			throw createStepStateError(id, number);
		}
		this.#tell();
	}

	/**
	 * Keeps the verdict on the step that runs in the thread. Throws INVALID_STATE where none runs there, and for "done"
	 * where what is recorded of the step speaks against it.
	 */
	async judge(threadId: ThreadId | null, verdict: GoalVerdict, reason: string): Promise<void> {
		const goal = this.list().find((each) => each.threadId === threadId && each.until === undefined);
		const step = goal?.steps.find(({ state }) => state === 'claimed' || state === 'started');
		if (goal === undefined || step === undefined) {
			throw new ProwessError('INVALID_STATE', 'no step of a goal runs in this thread', {
				said: text('No step of a goal runs in this thread.'),
			});
		}
		const lack = verdict === 'done' ? await this.#findLack(goal, step) : undefined;
		const said = reason.trim() === '' ? null : joinTexts(this.#deps.redact(reason.trim()));
		if (!this.#store.judged(goal.id, step.number, lack === undefined ? verdict : null, lack ?? said)) {
			throw claimLost(createCause(goal, step));
		}
		if (lack !== undefined) {
			throw new ProwessError('INVALID_STATE', `the step is not done: ${inEnglish(lack)}`, { said: lack });
		}
		this.#changed.fire();
	}

	/** Replaces the steps that are not done. The numbers in `after` count all steps, those that are done first. */
	replan(id: string, steps: readonly PlannedStep[]): void {
		const goal = this.get(id);
		if (
			['done', 'cancelled'].includes(goal.state) ||
			goal.until !== undefined ||
			this.#store.workedOn(goal) !== undefined
		) {
			const said = text('This goal has ended, has no steps, or a step of it runs, so its plan stays.');
			throw createGoalStateError(id, `${id} is ${goal.state}, or a step of it runs`, said);
		}
		const done = goal.steps.filter(({ state }) => state === 'done');
		if (done.some(({ number }, at) => number !== at + 1)) {
			const said = text('The steps that are done are not the first ones, so the plan stays.');
			throw createGoalStateError(id, `the steps of ${id} that are done are not its first ones`, said);
		}
		checkPlanSteps([...done, ...steps]);
		this.#refuseSecrets(steps.map(({ text }) => text).join('\n'));
		this.#store.replan(id, done.length, steps);
		this.#tell();
	}

	delete(id: string): void {
		if (this.#store.workedOn(this.get(id)) !== undefined) {
			const said = text('A step of this goal runs. Cancel it first.');
			throw createGoalStateError(id, `a step of ${id} runs; cancel it first`, said);
		}
		this.#store.delete(id);
		this.#tell();
	}

	/**
	 * Works on it until it is done, or nothing can go on; resolves with how it then stands. Aborting `signal` stops the
	 * step that runs: the next run of the goal goes on from there.
	 */
	async run(id: string, watcher: GoalWatcher, signal: AbortSignal): Promise<Goal> {
		for (let hasWorked = false; ; hasWorked = true) {
			signal.throwIfAborted();
			this.get(id);
			const claimed = this.#store.claim(id);
			if (claimed === undefined) {
				const goal = this.get(id);
				if (hasWorked && ['done', 'failed', 'needsYou'].includes(goal.state)) {
					this.#ended.fire(goal);
				}
				return goal;
			}
			watcher.onStep?.(claimed);
			this.#changed.fire();
			const ports = { ...this.#deps, store: this.#store, onChange: () => this.#changed.fire() };
			await carryOutStep(claimed, ports, watcher, signal);
			this.#changed.fire();
		}
	}

	/** From now on this host goes on with goals that were started, until it closes. */
	follow(): void {
		this.#follower.follow();
	}

	/** Stops the steps that this host works on; whoever goes on with them continues them. */
	async close(): Promise<void> {
		await this.#follower.close();
		this.#changed.dispose();
		this.#started.dispose();
		this.#ended.dispose();
		this.#opened?.dispose();
	}

	/** Returns what speaks against "done". */
	async #findLack(goal: Goal, step: Goal['steps'][number]): Promise<Text | undefined> {
		const { findLackingEvidence } = await import('./step-evidence.ts');
		return findLackingEvidence(step.text, await this.#deps.recordedFor(createCause(goal, step)));
	}

	#from(id: string, states: readonly Goal['state'][], to: Goal['state']): void {
		const { state } = this.get(id);
		if (!states.includes(state)) {
			const said = text('This cannot be done with the goal now.');
			throw createGoalStateError(id, `${id} is ${state}, so it cannot become ${to}`, said);
		}
		this.#store.setState(id, to);
		this.#tell();
	}

	/** Also has those gone on with that can be now. */
	#tell(): void {
		this.#changed.fire();
		this.#follower.look();
	}

	#refuseSecrets(text: string): void {
		if (this.#deps.redact(text) !== text) {
			const facts = { known: 0, lookalikes: 1 };
			throw new ProwessError('SECRETS_IN_MESSAGE', 'the goal holds what looks like a secret', facts);
		}
	}

	/** True when no goal was ever added, so that no file exists. */
	get #isEmpty(): boolean {
		return this.#opened === undefined && !existsSync(this.#path);
	}

	get #store(): GoalStore {
		this.#opened ??= new GoalStore(openMigratedDatabase(this.#path, goalMigrations).db, this.#deps.holder);
		return this.#opened;
	}
}

function createStepStateError(id: string, number: number): ProwessError {
	const said = text('Step {number} has not failed.', { number });
	return createGoalStateError(id, `step ${number} of ${id} has not failed`, said);
}
