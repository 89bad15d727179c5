import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { goalMigrations } from './goal-migrations.ts';
import { GoalStore } from './goal-store.ts';
import { readStep } from './plan-words.ts';

const id = 'goal_1';
const done = { state: 'done', reason: null } as const;

describe('The store of goals', () => {
	let path: string;
	let now: number;
	let alive: Set<string>;
	let open: GoalStore[];
	beforeEach(() => {
		path = join(tempDir('goals'), 'goals.db');
		now = 1_000;
		alive = new Set(['one', 'two']);
		open = [];
	});
	afterEach(() => {
		for (const store of open) store.dispose();
	});

	/** A store as a process of that name has it. */
	function of(owner: string): GoalStore {
		const holder = { owner, isAlive: (other: string) => alive.has(other), now: () => now, beat() {} };
		const store = new GoalStore(openMigratedDatabase(path, goalMigrations).db, holder);
		open.push(store);
		return store;
	}
	function withGoal(...words: string[]): GoalStore {
		const store = of('one');
		const steps = words.map((each, at) => readStep(each, at + 1));
		store.add(id, { title: 'Ship it', folder: '/w', mode: 'agent', steps });
		return store;
	}
	const statesOf = (store: GoalStore) => store.get(id)?.steps.map(({ state }) => state);

	it('gives a step to one process only, and the next when those before are done', () => {
		const one = withGoal('a', 'b (after nothing)', 'c (after 1, 2)');
		const two = of('two');
		assert.equal(one.claim(id)?.step.number, 1);
		assert.equal(two.claim(id), undefined);
		one.ended(id, 1, done);
		assert.equal(two.claim(id)?.step.number, 2);
		two.ended(id, 2, done);
		assert.equal(one.claim(id)?.step.number, 3);
		one.ended(id, 3, done);
		assert.equal(one.get(id)?.state, 'done');
		assert.equal(one.claim(id), undefined);
	});

	it('sends the same message again when a process died before it was taken, another one when it had been', () => {
		const first = withGoal('a').claim(id);
		alive.delete('one');
		const two = of('two');
		const again = two.claim(id);
		assert.equal(again?.step.messageId, first?.step.messageId);
		assert.equal(again?.isContinued, false);
		two.started(id, 1);
		alive.delete('two');
		alive.add('three');
		const third = of('three').claim(id);
		assert.notEqual(third?.step.messageId, first?.step.messageId);
		assert.deepEqual([third?.isContinued, third?.step.attempts], [true, 2]);
	});

	it('gives up a step after three attempts, until the user has it tried again', () => {
		const store = withGoal('a', 'b');
		for (let attempt = 1; attempt <= 3; attempt += 1) {
			assert.equal(store.claim(id)?.step.attempts, attempt);
			store.ended(id, 1, { state: 'waiting', reason: null });
		}
		assert.equal(store.claim(id), undefined);
		assert.equal(store.get(id)?.state, 'failed');
		assert.equal(store.retry(id, 2, undefined), false);
		assert.equal(store.retry(id, 1, undefined), true);
		assert.deepEqual([store.get(id)?.state, store.claim(id)?.step.attempts], ['open', 1]);
	});

	it('begins nothing of a goal that is paused, cancelled or failed', () => {
		const store = withGoal('a');
		for (const state of ['paused', 'cancelled', 'failed'] as const) {
			store.setState(id, state);
			assert.equal(store.claim(id), undefined);
		}
	});

	it('changes a plan three times within five minutes, keeps what is done, and not a fourth time', () => {
		const store = withGoal('a', 'b');
		store.claim(id);
		store.ended(id, 1, done);
		for (const text of ['c', 'd', 'e']) {
			store.replan(id, 1, [{ text, after: [1] }]);
		}
		assert.throws(() => store.replan(id, 1, [{ text: 'f', after: [] }]), { code: 'INVALID_STATE', message: /3 times/ });
		assert.deepEqual(
			store.get(id)?.steps.map(({ text }) => text),
			['a', 'e'],
		);
		assert.deepEqual(statesOf(store), ['done', 'waiting']);
		now += 5 * 60_000 + 1;
		store.replan(id, 1, [{ text: 'f', after: [] }]);
	});
});
