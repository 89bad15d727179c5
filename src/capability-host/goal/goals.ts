/** Goals of a home, as this host sees and carries them out. As long as there was never one there is no file. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { ProwessError } from '../../protocol/errors.ts';
import { openDatabase } from '../../store/open-database.ts';
import { processLeaseHolder } from '../../store/threads/process-lease-holder.ts';
import { scheduledTurn, type TurnPorts } from '../schedule/scheduled-turn.ts';
import type { ClaimedStep, Goal, NewGoal, PlannedStep } from './goal.ts';
import { goalMigrations } from './goal-migrations.ts';
import { GoalStore } from './goal-store.ts';
import { limits } from './limits.ts';
import { criticize } from './plan-critic.ts';

interface GoalsDeps {
	readonly home: string;
	readonly host: 'editor' | 'cli';
	readonly turns: TurnPorts;
	redact(text: string): string;
	/** Records that a step begins. Rejects where that cannot be recorded: then it does not begin. */
	recordStep(claimed: ClaimedStep): Promise<void>;
}

const FILE = 'goals.db';

export class Goals {
	readonly #deps: GoalsDeps;
	readonly #path: string;
	#opened: GoalStore | undefined;

	constructor(deps: GoalsDeps) {
		this.#deps = deps;
		this.#path = join(deps.home, FILE);
	}

	/** Throws INVALID_PARAMS for a plan that cannot be carried out, SECRETS_IN_MESSAGE, and INVALID_STATE when there are too many. */
	add({ title, folder, mode, steps }: NewGoal): Goal {
		const id = `goal_${v7()}`;
		const named = title.trim().slice(0, limits.titleChars);
		if (named === '') {
			throw new ProwessError('INVALID_PARAMS', 'a goal needs a title', {});
		}
		criticize(steps);
		this.#refuseSecrets([title, ...steps.map(({ text }) => text)].join('\n'));
		if (this.list().length >= limits.mostGoals) {
			throw new ProwessError('INVALID_STATE', `there are ${limits.mostGoals} goals, which is the most`, {});
		}
		this.#store.add(id, { title: named, folder: realpathSync.native(folder), mode, steps });
		return this.get(id);
	}

	list(): readonly Goal[] {
		return this.#opened === undefined && !existsSync(this.#path) ? [] : this.#store.list();
	}

	/** Throws NOT_FOUND. */
	get(id: string): Goal {
		const goal = this.list().length === 0 ? undefined : this.#store.get(id);
		if (goal === undefined) {
			throw new ProwessError('NOT_FOUND', `there is no goal ${id}`, { id });
		}
		return goal;
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
		this.#from(id, ['open', 'paused', 'failed'], 'cancelled');
	}

	/** Throws INVALID_STATE where no step of that number has failed. */
	retry(id: string, number: number): void {
		if (this.get(id).state === 'cancelled' || !this.#store.retry(id, number)) {
			throw new ProwessError('INVALID_STATE', `step ${number} of ${id} has not failed`, { id });
		}
	}

	/** Replaces the steps that are not done. The numbers in `after` count all steps, those that are done first. */
	replan(id: string, steps: readonly PlannedStep[]): void {
		const goal = this.get(id);
		if (goal.state === 'done' || goal.state === 'cancelled' || this.#store.isWorkedOn(goal)) {
			throw new ProwessError('INVALID_STATE', `${id} is ${goal.state}, or a step of it runs`, { id });
		}
		const done = goal.steps.filter(({ state }) => state === 'done');
		if (done.some(({ number }, at) => number !== at + 1)) {
			throw new ProwessError('INVALID_STATE', `the steps of ${id} that are done are not its first ones`, { id });
		}
		criticize([...done, ...steps]);
		this.#refuseSecrets(steps.map(({ text }) => text).join('\n'));
		this.#store.replan(id, done.length, steps);
	}

	delete(id: string): void {
		if (this.#store.isWorkedOn(this.get(id))) {
			throw new ProwessError('INVALID_STATE', `a step of ${id} runs; cancel it first`, { id });
		}
		this.#store.delete(id);
	}

	/**
	 * Works on it until it is done, or nothing can go on; resolves with how it then stands. `onStep` hears of each step before it begins.
	 * Aborting `signal` stops the step that runs: the next run of the goal goes on from there.
	 */
	async run(id: string, onStep: (claimed: ClaimedStep) => void, signal: AbortSignal): Promise<Goal> {
		for (;;) {
			signal.throwIfAborted();
			this.get(id);
			const claimed = this.#store.claim(id);
			if (claimed === undefined) {
				return this.get(id);
			}
			onStep(claimed);
			await this.#carryOut(claimed, signal);
		}
	}

	close(): void {
		this.#opened?.dispose();
	}

	async #carryOut(claimed: ClaimedStep, signal: AbortSignal): Promise<void> {
		const { goal, step } = claimed;
		const life = new AbortController();
		const look = setInterval(() => {
			if (this.#store.get(goal.id)?.state === 'cancelled') {
				life.abort(new ProwessError('INVALID_STATE', `${goal.id} was cancelled`, { id: goal.id }));
			}
		}, limits.lookMs);
		const until = AbortSignal.any([signal, life.signal]);
		let state: 'done' | 'failed' | 'waiting' = 'waiting';
		try {
			await this.#deps.recordStep(claimed);
			const outcome = await scheduledTurn(
				this.#deps.turns,
				{
					schedule: { text: messageOf(claimed), mode: goal.mode },
					run: { threadId: goal.threadId, messageId: step.messageId },
				},
				() => this.#store.started(goal.id, step.number),
				until,
			);
			state = outcome === 'done' ? 'done' : outcome === 'interrupted' ? 'waiting' : 'failed';
		} catch (error) {
			if (life.signal.aborted) {
				return;
			}
			throw error;
		} finally {
			clearInterval(look);
			this.#store.ended(goal.id, step.number, state);
		}
	}

	#from(id: string, states: readonly Goal['state'][], to: Goal['state']): void {
		const { state } = this.get(id);
		if (!states.includes(state)) {
			throw new ProwessError('INVALID_STATE', `${id} is ${state}, so it cannot become ${to}`, { id });
		}
		this.#store.setState(id, to);
	}

	#refuseSecrets(text: string): void {
		if (this.#deps.redact(text) !== text) {
			const message = 'the goal holds what looks like a secret';
			throw new ProwessError('SECRETS_IN_MESSAGE', message, { known: 0, lookalikes: 1 });
		}
	}

	get #store(): GoalStore {
		this.#opened ??= new GoalStore(openDatabase(this.#path, goalMigrations).db, processLeaseHolder(this.#deps.host));
		return this.#opened;
	}
}

/** The message that begins the turn of a step. */
function messageOf({ goal, step, isContinued }: ClaimedStep): string {
	const { title, steps } = goal;
	const plan = steps
		.map(({ number, text, state }) => `${number}. ${text}${state === 'done' ? ' (done)' : ''}`)
		.join('\n');
	const task = `Goal: ${title}\n${plan}\n\nDo step ${step.number} now, and only that: ${step.text}`;
	return isContinued
		? `${task}\n\nAn earlier attempt at this step was cut short. What it did stands: look at what is there, repeat nothing, and do what is left.`
		: task;
}
