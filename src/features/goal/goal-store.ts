/**
 * Goals and their steps, shared by all processes of a home. A step is claimed in one transaction, so two processes
 * never work on the same step. After a process has died, its step is taken over: a message that may not have been taken
 * is sent again with the same id; a step that had begun is continued by another message. Synchronous: each call is a
 * few rows.
 */
import { newId } from '../../protocol/rpc/ids.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { Database } from '../../store/database.ts';
import type { ClaimHolder } from '../../store/threads/lease-holder.ts';
import type { ClaimedStep, Goal, GoalState, GoalStep, NewGoal, PlannedStep, StepState } from './goal.ts';
import { goalLimits } from './limits.ts';

interface StoredGoalRow {
	readonly id: string;
	readonly title: string;
	readonly folder: string;
	readonly mode: Goal['mode'];
	readonly state: GoalState;
	readonly thread: string;
	readonly created_at: number;
	readonly is_followed: number;
}

interface StepRow {
	readonly number: number;
	readonly text: string;
	readonly after: string;
	readonly state: StepState;
	readonly owner: string;
	readonly message: string;
	readonly attempts: number;
}

export class GoalStore {
	readonly #db: Database;
	readonly #holder: ClaimHolder;

	constructor(db: Database, holder: ClaimHolder) {
		this.#db = db;
		this.#holder = holder;
	}

	add(id: string, { title, folder, mode, steps }: NewGoal): void {
		this.#db.transaction('power', () => {
			const values = [id, title, folder, mode, 'open', newId('thr'), this.#holder.now()];
			this.#db.run('INSERT INTO goal VALUES (?, ?, ?, ?, ?, ?, ?, 0)', ...values);
			this.#insert(id, steps, 0);
		});
	}

	/** Newest first. */
	list(): Goal[] {
		return this.#db
			.all<StoredGoalRow>('SELECT * FROM goal ORDER BY created_at DESC, id DESC')
			.map((row) => this.#goal(row));
	}

	get(id: string): Goal | undefined {
		const row = this.#db.get<StoredGoalRow>('SELECT * FROM goal WHERE id = ?', id);
		return row === undefined ? undefined : this.#goal(row);
	}

	setState(id: string, state: GoalState): void {
		this.#db.transaction('power', () => this.#db.run('UPDATE goal SET state = ? WHERE id = ?', state, id));
	}

	/** Open, and gone on with by a host that stays. */
	follow(id: string): void {
		this.#db.transaction('power', () =>
			this.#db.run("UPDATE goal SET state = 'open', is_followed = 1 WHERE id = ?", id),
		);
	}

	/** Another one each time that another process has written. */
	version(): number {
		return this.#db.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
	}

	delete(id: string): void {
		this.#db.transaction('power', () => this.#db.run('DELETE FROM goal WHERE id = ?', id));
	}

	/** The next step whose turn it is. Undefined: none is, or another process works on the goal. */
	claim(id: string): ClaimedStep | undefined {
		return this.#db.transaction('power', () => {
			const goal = this.get(id);
			if (goal?.state !== 'open') {
				return undefined;
			}
			const taken = goal.steps.find(isTaken);
			if (taken !== undefined && this.#isAlive(taken)) {
				return undefined;
			}
			const isDone = (number: number) => goal.steps.some((step) => step.number === number && step.state === 'done');
			const next = taken ?? goal.steps.find(({ state, after }) => state === 'waiting' && after.every(isDone));
			if (next === undefined) {
				return undefined;
			}
			const isSentAgain = next.state === 'claimed';
			if (!isSentAgain && next.attempts >= goalLimits.mostAttempts) {
				this.#db.run("UPDATE step SET state = 'failed', owner = '' WHERE goal = ? AND number = ?", id, next.number);
				this.setState(id, 'failed');
				return undefined;
			}
			const messageId = isSentAgain ? next.messageId : newId('itm');
			const attempts = isSentAgain ? next.attempts : next.attempts + 1;
			this.#holder.beat();
			this.#db.run(
				"UPDATE step SET state = 'claimed', owner = ?, message = ?, attempts = ? WHERE goal = ? AND number = ?",
				...[this.#holder.owner, messageId, attempts, id, next.number],
			);
			const step: GoalStep = { ...next, state: 'claimed', owner: this.#holder.owner, messageId, attempts };
			return { goal, step, isContinued: attempts > 1 };
		});
	}

	/** False: it is another's by now, and this process is to do nothing more of it. */
	started(id: string, number: number): boolean {
		return this.#db.transaction('process', () => this.#change(id, number, "state = 'started'"));
	}

	/** Also says of the goal whether it is at its end. `waiting`: it is worked on again later. False: it is another's by now. */
	ended(id: string, number: number, state: 'done' | 'failed' | 'waiting'): boolean {
		return this.#db.transaction('power', () => {
			if (!this.#change(id, number, `state = '${state}', owner = ''`)) {
				return false;
			}
			const goal = this.get(id);
			if (goal?.state !== 'open' && goal?.state !== 'paused') {
				return true;
			}
			if (state === 'failed') {
				this.setState(id, 'failed');
			} else if (goal.steps.every((step) => step.state === 'done')) {
				this.setState(id, 'done');
			}
			return true;
		});
	}

	/** A process other than this one has that step by now. */
	hasLost(id: string, number: number): boolean {
		const step = this.get(id)?.steps.find((each) => each.number === number);
		return step !== undefined && step.owner !== this.#holder.owner;
	}

	/** A failed step gets all its attempts again, and the goal is open. False: no step of that number has failed. */
	retry(id: string, number: number): boolean {
		return this.#db.transaction('power', () => {
			const sql = "UPDATE step SET state = 'waiting', attempts = 0 WHERE goal = ? AND number = ? AND state = 'failed'";
			const isChanged = this.#db.run(sql, id, number) === 1;
			if (isChanged) {
				this.setState(id, 'open');
			}
			return isChanged;
		});
	}

	/** Other steps in place of those that are not done. Throws INVALID_STATE when a step runs, or it was done too often. */
	replan(id: string, done: number, steps: readonly PlannedStep[]): void {
		this.#db.transaction('power', () => {
			const since = this.#holder.now() - goalLimits.replanWindowMs;
			const sql = 'SELECT count(*) AS n FROM replan WHERE goal = ? AND at > ?';
			if ((this.#db.get<{ n: number }>(sql, id, since)?.n ?? 0) >= goalLimits.mostReplans) {
				const message = `the plan was changed ${goalLimits.mostReplans} times within 5 minutes; look at what goes wrong first`;
				throw new ProwessError('INVALID_STATE', message, {
					id,
					said: text('The plan was changed {n} times within 5 minutes. Look at what goes wrong first.', {
						n: goalLimits.mostReplans,
					}),
				});
			}
			this.#db.run('INSERT INTO replan VALUES (?, ?)', id, this.#holder.now());
			this.#db.run("DELETE FROM step WHERE goal = ? AND state <> 'done'", id);
			this.#insert(id, steps, done);
			this.setState(id, 'open');
		});
	}

	/** Step that a process works on which lives. */
	workedOn({ steps }: Goal): GoalStep | undefined {
		return steps.find((step) => isTaken(step) && this.#isAlive(step));
	}

	dispose(): void {
		this.#db.dispose();
	}

	#insert(id: string, steps: readonly PlannedStep[], offset: number): void {
		for (const [at, { text, after }] of steps.entries()) {
			const values = [id, offset + at + 1, text, JSON.stringify(after), newId('itm')];
			this.#db.run("INSERT INTO step VALUES (?, ?, ?, ?, 'waiting', '', ?, 0)", ...values);
		}
	}

	/** The row does not say when it was claimed. */
	#isAlive({ owner }: GoalStep): boolean {
		return this.#holder.isAlive(owner, 0);
	}

	/** False, and nothing is changed, where another process has it by now. */
	#change(id: string, number: number, set: string): boolean {
		const sql = `UPDATE step SET ${set} WHERE goal = ? AND number = ? AND owner = ? AND state IN ('claimed', 'started')`;
		return this.#db.run(sql, id, number, this.#holder.owner) === 1;
	}

	#goal({ thread, created_at, is_followed, ...same }: StoredGoalRow): Goal {
		const rows = this.#db.all<StepRow>('SELECT * FROM step WHERE goal = ? ORDER BY number', same.id);
		return {
			...same,
			threadId: thread as Goal['threadId'],
			createdAt: created_at,
			isFollowed: is_followed === 1,
			steps: rows.map(({ message, after, number, text, state, owner, attempts }) => ({
				number,
				text,
				state,
				owner,
				attempts,
				after: JSON.parse(after) as number[],
				messageId: message as GoalStep['messageId'],
			})),
		};
	}
}

function isTaken({ state }: GoalStep): boolean {
	return state === 'claimed' || state === 'started';
}
