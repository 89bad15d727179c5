import assert from 'node:assert/strict';
import { DAY, HOUR, MINUTE, World } from '../../../test/support/schedule-world.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { scheduleLimits } from './limits.ts';
import type { NewWatch } from './schedule.ts';

describe('A watch', () => {
	let world: World;
	let mark: string;
	let polls: number[];
	beforeEach(() => {
		world = new World();
		mark = 'a';
		polls = [];
		world.poll = () => {
			polls.push(world.time.clock().now());
			return Promise.resolve({ mark, result: mark });
		};
	});
	afterEach(() => world.close());

	const files = (rest: Partial<NewWatch> = {}): NewWatch => ({
		condition: { kind: 'files', what: 'src', expects: 'changes' },
		endsAt: world.time.clock().now() + DAY,
		most: 1,
		...rest,
	});
	const turns = (id: string) => world.times(id).length;

	it('that cannot be polled is paused after a few tries, and the run that says so has failed', async () => {
		const refused = { code: 'DENIED_BY_RULE', message: 'a rule refuses it', facts: { rule: 'x' } } as const;
		world.poll = () => Promise.reject(new ProwessError(refused.code, refused.message, refused.facts));
		const { id } = world.addWatch('w', files(), 'a');
		world.start();
		await world.time.pass(10 * MINUTE);
		const { isPaused, nextDue, watch, lastRun } = world.store('user').get(id) ?? assert.fail();
		assert.deepEqual([isPaused, nextDue, watch?.problem, lastRun?.state], [true, null, refused, 'failed']);
		assert.equal(turns(id), 0);
	});

	it('is given up at its end, and polled with growing pauses until then', async () => {
		const endsAt = world.time.clock().now() + HOUR;
		const { id } = world.addWatch('w', files({ endsAt }), 'a');
		world.start();
		await world.time.pass(2 * HOUR);
		const { nextDue, watch, lastRun } = world.store('user').get(id) ?? assert.fail();
		assert.deepEqual([nextDue, watch?.held, turns(id)], [null, 0, 0]);
		assert.deepEqual([lastRun?.state, world.ends], ['expired', ['w expired']]);
		const pauses = polls.slice(1).map((at, before) => at - (polls[before] ?? 0));
		assert.deepEqual(
			pauses,
			pauses.toSorted((a, b) => a - b),
		);
		const { leastPauseMs, mostPauseMs } = scheduleLimits;
		assert.deepEqual([pauses[0], pauses.at(-1)], [leastPauseMs.files * 1.5, mostPauseMs.files]);
		assert.ok((polls.at(-1) ?? 0) <= (watch?.endsAt ?? 0));
	});

	it('of files is polled at once after an editor tells of a change there, and not of one elsewhere', async () => {
		const of = (what: string) => files({ condition: { kind: 'files', what, expects: 'changes' } });
		const asked: string[] = [];
		const { promise: changesMeanwhile, resolve: end } = Promise.withResolvers<void>();
		world.poll = async ({ schedule: { id } }) => {
			asked.push(id);
			if (asked.length > 10) await changesMeanwhile;
			return { mark, result: mark };
		};
		for (const what of ['docs/**/*.md', './src/api/', '*.ts']) world.addWatch(what, of(what), 'a', { folder: '/app' });
		const runner = world.start();
		await world.time.pass(10 * MINUTE);
		for (const [paths, ids] of [
			[
				['/app/docs/a/b.md', '/app/docs/c.md'],
				['*.ts', 'docs/**/*.md'],
			],
			[['/app/src/api'], ['*.ts', './src/api/']],
			// A folder above it came or went.
			[['/app/src'], ['*.ts', './src/api/']],
			[['/app/src/apis/a.ts'], ['*.ts']],
			[['/apps/docs/a.md', '/docs/a.md'], []],
		] as const) {
			await world.time.pass(scheduleLimits.leastPauseMs.files);
			asked.length = 0;
			runner.noteChanges(paths);
			await world.time.pass(scheduleLimits.leastPauseMs.files);
			assert.deepEqual(asked.toSorted(), ids, paths.join());
		}
		end();
	});

	it('of files that change during a poll is polled once more', async () => {
		const { id } = world.addWatch('w', files(), 'a', { folder: '/app' });
		const runner = world.start();
		await world.time.pass(10 * MINUTE);
		polls.length = 0;
		const { promise, resolve } = Promise.withResolvers<void>();
		world.poll = async () => {
			polls.push(world.time.clock().now());
			await promise;
			return { mark: polls.length === 1 ? 'a' : 'b', result: '' };
		};
		for (const _ of [1, 2]) {
			runner.noteChanges(['/app/src/a']);
			await world.time.pass(1);
		}
		resolve();
		await new Promise(setImmediate);
		await world.time.pass(scheduleLimits.leastPauseMs.files);
		assert.deepEqual([polls.length, turns(id)], [2, 1]);
	});

	it('that waits once begins one run when its files change, and is over', async () => {
		const { id } = world.addWatch('w', files(), 'a');
		world.start();
		await world.time.pass(MINUTE);
		assert.equal(turns(id), 0);
		for (const next of ['b', 'c']) {
			mark = next;
			await world.time.pass(5 * MINUTE);
			assert.equal(turns(id), 1);
		}
		assert.equal(world.store('user').get(id)?.nextDue, null);
	});

	it('of a state begins a run each time it comes true, at most so often as it may', async () => {
		const condition = { kind: 'command', what: 'git status', expects: 'succeeds' } as const;
		mark = 'yes';
		const { id } = world.addWatch('w', files({ condition, most: 2 }), 'yes');
		world.start();
		const seen: number[] = [];
		for (const next of ['yes', 'no', 'yes', 'no', 'yes']) {
			mark = next;
			await world.time.pass(15 * MINUTE);
			seen.push(turns(id));
		}
		assert.deepEqual(seen, [1, 1, 2, 2, 2]);
	});

	it('is polled by one of two hosts at a time, also after one died while it polled', async () => {
		const { id } = world.addWatch('w', files(), 'a');
		const { promise: never } = Promise.withResolvers<never>();
		world.poll = () => never;
		world.start();
		await world.time.pass(MINUTE / 2);
		world.alive.clear();
		world.poll = () => Promise.resolve({ mark: 'b', result: 'b' });
		world.start();
		world.start();
		await world.time.pass(2 * MINUTE);
		assert.equal(turns(id), 1);
		assert.equal(world.store('user').runs(id).length, 1);
	});

	it('takes nothing from a poll that ends after another host has polled, or after the user has paused it', async () => {
		const { id } = world.addWatch('w', files({ most: 5 }), 'a');
		const store = world.store('host');
		const due = () => {
			world.time.passed += HOUR;
			return store.claimPolls(() => true)[0] ?? assert.fail();
		};
		const [suspended, next] = [due(), due()];
		assert.equal(store.settlePoll(next, { mark: 'b', result: 'b' })?.run.state, 'claimed');
		assert.equal(store.settlePoll(suspended, { mark: 'a', result: 'a' }), undefined);
		store.runs(id).forEach((run) => store.ended(run, 'done'));
		const paused = due();
		store.pause(id);
		assert.equal(store.settlePoll(paused, { mark: 'c', result: 'c' }), undefined);
		const { isPaused, nextDue, watch } = store.get(id) ?? assert.fail();
		assert.deepEqual([isPaused, nextDue, watch?.held, watch?.seen?.mark], [true, null, 1, 'b']);
		store.resume(store.get(id) ?? assert.fail());
		assert.equal(store.settlePoll(due(), { mark: 'c', result: 'c' })?.run.state, 'claimed');
	});

	it('that only tells is left to a host in which somebody sees it', async () => {
		world.addWatch('w', files(), 'a', { kind: 'reminder' });
		const store = world.store('background');
		world.time.passed += MINUTE;
		const isPrompt = ({ kind }: { readonly kind: string }) => kind === 'prompt';
		assert.deepEqual(
			[store.claimPolls(isPrompt), store.dueFolders(isPrompt), store.nextDue(isPrompt)],
			[[], [], undefined],
		);
		assert.equal(store.claimPolls(() => true).length, 1);
	});

	it('whose host dies before its run has begun begins that run in the next one', async () => {
		const { id } = world.addWatch('w', files(), 'a');
		mark = 'b';
		world.fatal = 'claimed';
		world.start();
		await world.time.pass(MINUTE);
		assert.deepEqual([world.deaths, turns(id)], [1, 0]);
		world.start();
		await world.time.pass(MINUTE);
		assert.equal(turns(id), 1);
	});
});
