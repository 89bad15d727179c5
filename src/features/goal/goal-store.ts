/**
 * Goals and their steps, shared by all processes of a home. A step is claimed in one transaction, so two processes
 * never work on the same step. After a process has died, its step is taken over: a message that may not have been taken
 * is sent again with the same id; a step that had begun is continued by another message. Synchronous: each call is a
 * few rows.
 */
import { newId } from '../../protocol/rpc/ids.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { type Text, text } from '../../protocol/text/text.ts';
import type { Database } from '../../store/database.ts';
import type { ClaimHolder } from '../../store/threads/lease-holder.ts';
import type {
	ClaimedStep,
	Goal,
	GoalState,
	GoalStep,
	NewGoal,
	PlannedStep,
	RoundUse,
	StepState,
	GoalVerdict,
	UntilCondition,
} from './goal.ts';
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
	readonly until: string | null;
	readonly used: string;
}

interface StepRow {
	readonly number: number;
	readonly text: string;
	readonly after: string;
	readonly state: StepState;
	readonly owner: string;
	readonly message: string;
	readonly attempts: number;
	readonly verdict: GoalVerdict | null;
	readonly reason: string | null;
}

/** End of an attempt at a step. `waiting`: it is worked on again later. */
export interface StepEnd {
	readonly state: 'done' | 'failed' | 'needsYou' | 'waiting';
	readonly reason: Text | null;
}

const NO_ROUND_USE: RoundUse = { tokens: 0, cost: 0, ms: 0 };

export const STATE_OF_VERDICT = { done: 'done', notDone: 'failed', needsYou: 'needsYou' } as const;

export class GoalStore {
	readonly #db: Database;
	readonly #holder: ClaimHolder;

	constructor(db: Database, holder: ClaimHolder) {
		this.#db = db;
		this.#holder = holder;
	}

	add(id: string, { title, folder, mode, steps, until }: NewGoal): void {
		this.#db.transaction('power', () => {
			const values = [id, title, folder, mode, 'open', newId('thr'), this.#holder.now()];
			const columns = 'id, title, folder, mode, state, thread, created_at, until';
			const condition = until === undefined ? null : JSON.stringify(until);
			this.#db.run(`INSERT INTO goal (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, ...values, condition);
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

	/**
	 * The next step whose turn it is. Undefined: none is, or another process works on the goal. A step whose process died
	 * after its verdict has ended with that verdict.
	 */
	claim(id: string): ClaimedStep | undefined {
		return this.#db.transaction('power', () => {
			this.#endLeftVerdicts(id);
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
			if (!isSentAgain && goal.until === undefined && next.attempts >= goalLimits.mostAttempts) {
				const reason = text('It was begun {n} times, and each time something cut it short.', { n: next.attempts });
				this.#end(id, next.number, { state: 'failed', reason });
				return undefined;
			}
			const messageId = isSentAgain ? next.messageId : newId('itm');
			const attempts = isSentAgain ? next.attempts : next.attempts + 1;
			// Keep what is missing: it is shown while the next round runs; why an attempt failed is not, while the next one runs.
			const shown = goal.until === undefined || next.reason === null ? null : JSON.stringify(next.reason);
			this.#holder.beat();
			this.#db.run(
				"UPDATE step SET state = 'claimed', owner = ?, message = ?, attempts = ?, verdict = NULL, reason = ? WHERE goal = ? AND number = ?",
				...[this.#holder.owner, messageId, attempts, shown, id, next.number],
			);
			const step: GoalStep = { ...next, state: 'claimed', owner: this.#holder.owner, messageId, attempts };
			return { goal, step, isContinued: attempts > 1, isTakenOver: next.state === 'started' };
		});
	}

	/** False: it is another's by now, and this process is to do nothing more of it. */
	started(id: string, number: number): boolean {
		return this.#db.transaction('process', () => this.#change(id, number, "state = 'started'"));
	}

	/** Also says of the goal whether it is at its end. False: it is another's by now. */
	ended(id: string, number: number, end: StepEnd): boolean {
		return this.#db.transaction('power', () => {
			if (!this.#change(id, number, "owner = ''")) {
				return false;
			}
			this.#end(id, number, end);
			return true;
		});
	}

	/** Keeps the verdict of a step that this process works on. Null: what was said does not hold, for that reason. */
	judged(id: string, number: number, verdict: GoalVerdict | null, reason: Text | null): boolean {
		const said = reason === null ? null : JSON.stringify(reason);
		return this.#db.transaction('power', () => this.#change(id, number, 'verdict = ?, reason = ?', verdict, said));
	}

	/** Adds what a round has used. */
	use(id: string, { tokens, cost, ms }: RoundUse): void {
		this.#db.transaction('power', () => {
			const before = this.get(id)?.used ?? NO_ROUND_USE;
			const sum = { tokens: before.tokens + tokens, cost: before.cost + cost, ms: before.ms + ms };
			this.#db.run('UPDATE goal SET used = ? WHERE id = ?', JSON.stringify(sum), id);
		});
	}

	/** Counts a step that is not done as done: the user says so. False: no step of that number is in such a state. */
	markDone(id: string, number: number, reason: Text): boolean {
		return this.#db.transaction('power', () => {
			const step = this.get(id)?.steps.find((each) => each.number === number);
			if (step?.state !== 'failed' && step?.state !== 'needsYou') {
				return false;
			}
			this.setState(id, 'open');
			this.#end(id, number, { state: 'done', reason });
			return true;
		});
	}

	/** A process other than this one has that step by now. */
	hasLost(id: string, number: number): boolean {
		const step = this.get(id)?.steps.find((each) => each.number === number);
		return step !== undefined && step.owner !== this.#holder.owner;
	}

	/**
	 * A step that is not done gets all its attempts again, and the goal is open; its rounds get all that they may use, and
	 * its check is agreed to as it is now. False: no step of that number is in such a state.
	 */
	retry(id: string, number: number, until: UntilCondition | undefined): boolean {
		return this.#db.transaction('power', () => {
			const isChanged =
				this.#db.run(
					"UPDATE step SET state = 'waiting', attempts = 0, verdict = NULL WHERE goal = ? AND number = ? AND state IN ('failed', 'needsYou')",
					...[id, number],
				) === 1;
			if (isChanged) {
				const agreed = until === undefined ? null : JSON.stringify(until);
				const sql = "UPDATE goal SET state = 'open', used = ?, until = ? WHERE id = ?";
				this.#db.run(sql, JSON.stringify(NO_ROUND_USE), agreed, id);
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
			const columns = 'goal, number, text, after, message, state, owner, attempts';
			this.#db.run(`INSERT INTO step (${columns}) VALUES (?, ?, ?, ?, ?, 'waiting', '', 0)`, ...values);
		}
	}

	/** The row does not say when it was claimed. */
	#isAlive({ owner }: GoalStep): boolean {
		return this.#holder.isAlive(owner, 0);
	}

	/** False, and nothing is changed, where another process has it by now. */
	#change(id: string, number: number, set: string, ...values: readonly (string | null)[]): boolean {
		const sql = `UPDATE step SET ${set} WHERE goal = ? AND number = ? AND owner = ? AND state IN ('claimed', 'started')`;
		return this.#db.run(sql, ...values, id, number, this.#holder.owner) === 1;
	}

	#endLeftVerdicts(id: string): void {
		for (const step of this.get(id)?.steps ?? []) {
			if (step.state === 'started' && step.verdict !== null && !this.#isAlive(step)) {
				this.#end(id, step.number, { state: STATE_OF_VERDICT[step.verdict], reason: step.reason });
			}
		}
	}

	#end(id: string, number: number, { state, reason }: StepEnd): void {
		const said = reason === null ? null : JSON.stringify(reason);
		const sql = "UPDATE step SET state = ?, owner = '', reason = ? WHERE goal = ? AND number = ?";
		this.#db.run(sql, state, said, id, number);
		const goal = this.get(id);
		if (goal?.state !== 'open' && goal?.state !== 'paused') {
			return;
		}
		if (state === 'failed' || state === 'needsYou') {
			this.setState(id, state);
		} else if (goal.steps.every((step) => step.state === 'done')) {
			this.setState(id, 'done');
		}
	}

	#goal({ thread, created_at, is_followed, until, used, ...same }: StoredGoalRow): Goal {
		const rows = this.#db.all<StepRow>('SELECT * FROM step WHERE goal = ? ORDER BY number', same.id);
		return {
			...same,
			threadId: thread as Goal['threadId'],
			createdAt: created_at,
			isFollowed: is_followed === 1,
			...(until === null ? {} : { until: JSON.parse(until) as UntilCondition }),
			used: JSON.parse(used) as RoundUse,
			steps: rows.map(({ message, after, number, text, state, owner, attempts, verdict, reason }) => ({
				number,
				text,
				state,
				owner,
				attempts,
				verdict,
				reason: reason === null ? null : (JSON.parse(reason) as Text),
				after: JSON.parse(after) as number[],
				messageId: message as GoalStep['messageId'],
			})),
		};
	}
}

function isTaken({ state }: GoalStep): boolean {
	return state === 'claimed' || state === 'started';
}
