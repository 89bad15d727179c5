import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Database } from '../database.ts';
import { storeLimits } from '../limits.ts';
import { openMigratedDatabase } from '../open-database.ts';
import { threadMigrations } from './thread-migrations.ts';
import type { LeaseHolder } from './lease-holder.ts';
import { ThreadStore } from './thread-store.ts';

describe('ThreadStore', () => {
	let db: Database;
	let clock: number;
	let dead: Set<string>;

	beforeEach(() => {
		clock = 1_000;
		dead = new Set();
		db = openMigratedDatabase(join(tempDir(), 'threads.db'), threadMigrations).db;
		const row = { id: 'thr_1', title: 'One', model_id: null, mode: 'agent', workspace: null, created_at: '2026-01-01' };
		store('one').create(row);
	});

	afterEach(() => db.dispose());

	function store(owner: string): ThreadStore {
		const holder: LeaseHolder = { owner, isAlive: (other) => !dead.has(other), now: () => clock };
		return new ThreadStore(db, holder);
	}

	it('gives a thread to one writer at a time and says who has it', () => {
		store('one').lease('thr_1');
		assert.throws(
			() => store('two').lease('thr_1'),
			(error: { code?: string; facts?: { owner?: string } }) => {
				assert.deepEqual([error.code, error.facts?.owner], ['busy', 'one']);
				return true;
			},
		);
	});

	it('names the other holder of a thread until it has given it back, is gone or does not renew', () => {
		const writer = store('one').lease('thr_1');
		assert.deepEqual(
			[store('one').holderElsewhere('thr_1'), store('two').holderElsewhere('thr_1')],
			[undefined, 'one'],
		);
		dead.add('one');
		assert.equal(store('two').holderElsewhere('thr_1'), undefined);
		dead.clear();
		clock += storeLimits.leaseMs;
		assert.equal(store('two').holderElsewhere('thr_1'), undefined);
		writer.renew();
		assert.equal(store('two').holderElsewhere('thr_1'), 'one');
		writer.release();
		assert.equal(store('two').holderElsewhere('thr_1'), undefined);
	});

	describe('that is asked for unused threads', () => {
		const before = '2026-02-01';
		const add = (id: string, { at = '2026-01-01', folder = '/work', parent = '' } = {}) => {
			const agent = parent === '' ? null : JSON.stringify({ parent, name: id });
			store('one').create({ id, title: id, model_id: null, mode: 'agent', agent, workspace: folder, created_at: at });
		};
		const unused = (folder: string | null = '/work') => store('one').unused(before, 'workspace', folder, 10);

		it('names none that is pinned or runs, of another folder, or used since', () => {
			for (const id of ['thr_pinned', 'thr_runs', 'thr_old']) add(id);
			add('thr_new', { at: before });
			add('thr_there', { folder: '/there' });
			store('one').lease('thr_pinned').change({ shelf: 'pinned' });
			store('one').lease('thr_runs').startTurn({ id: 'trn_1', modelId: 'm', startedAt: 'now' });
			assert.deepEqual([unused(), unused(null)], [['thr_old'], ['thr_1']]);
			const all = ['thr_pinned', 'thr_runs', 'thr_new', 'thr_old', 'thr_there', 'thr_none'];
			assert.deepEqual(
				all.flatMap((id) => store('one').unused(before, 'id', id, 1)),
				['thr_old', 'thr_there'],
			);
		});

		it('names no sub-agent, and no thread of which a sub-agent was used since, runs or is pinned, at any depth', () => {
			for (const id of ['thr_a', 'thr_b', 'thr_c', 'thr_d']) add(id);
			add('thr_a1', { parent: 'thr_a' });
			add('thr_a2', { parent: 'thr_a1', at: before });
			add('thr_b1', { parent: 'thr_b' });
			add('thr_c1', { parent: 'thr_c' });
			store('one').lease('thr_c1').startTurn({ id: 'trn_1', modelId: 'm', startedAt: 'now' });
			add('thr_d1', { parent: 'thr_d' });
			store('one').lease('thr_d1').change({ shelf: 'pinned' });
			assert.deepEqual(unused(), ['thr_b']);
		});
	});

	it('keeps the wish that a turn ends for the process that runs it, whoever has the thread', () => {
		store('one').lease('thr_1').startTurn({ id: 'trn_1', modelId: 'm', startedAt: 'now' });
		assert.equal(store('one').isAskedToStop('trn_1'), false);
		store('two').askToStop('trn_1');
		assert.equal(store('one').isAskedToStop('trn_1'), true);
	});

	it('gives a thread whose lease would never end to the next writer', () => {
		const old = store('one').lease('thr_1');
		db.run('UPDATE threads SET lease_expires = ?', Date.UTC(2100, 0, 1));
		store('two').lease('thr_1');
		assert.throws(() => old.change({ title: 'Mine' }));
	});

	it('refuses every write of a writer whose lease has gone to another', () => {
		const old = store('one').lease('thr_1');
		clock += storeLimits.leaseMs;
		const writer = store('two').lease('thr_1');
		const writes: (() => unknown)[] = [
			() => old.change({ title: 'Mine' }),
			() => old.renew(),
			() => old.startTurn({ id: 'trn_1', modelId: 'm', startedAt: 'now' }),
			() => old.endTurn({ id: 'trn_1', status: 'done', endedAt: 'now', error: null }),
			() => old.traceTurn('trn_1', '[]'),
			() =>
				old.addItem({ id: 'itm_1', turn_id: 'trn_1', kind: 'user', op_id: null, call_id: null, body: '{}' }, undefined),
			() => old.setItem('itm_1', '{}'),
			() => old.addMessage('trn_1', '{}'),
			() => old.setMessage(0, '{}'),
			() => old.cut('trn_1'),
			() => old.delete(),
		];
		for (const write of writes) {
			assert.throws(write, { code: 'fenced' });
		}
		old.release();
		writer.change({ title: 'Theirs' });
		assert.equal(store('one').thread('thr_1')?.title, 'Theirs');
	});

	it('takes a thread over at once from a process that is gone', () => {
		store('one').lease('thr_1');
		dead.add('one');
		store('two').lease('thr_1').change({ title: 'Taken over' });
	});

	it('keeps a lease that is renewed', () => {
		const writer = store('one').lease('thr_1');
		clock += storeLimits.leaseMs - 1;
		writer.renew();
		clock += storeLimits.leaseMs - 1;
		assert.throws(() => store('two').lease('thr_1'), { code: 'busy' });
	});

	it('writes all of a transaction or nothing', () => {
		const writer = store('one').lease('thr_1');
		assert.throws(() =>
			writer.transaction('power', () => {
				writer.addMessage('trn_1', '{}');
				throw new Error('in the middle');
			}),
		);
		assert.deepEqual(store('one').messages('thr_1'), []);
	});

	describe('what waits for the next commit', () => {
		const item = (id: string) => ({ id, turn_id: 'trn_1', kind: 'text', op_id: null, call_id: null, body: '{}' });

		it('is stored with it, in the order in which it was said, and once', () => {
			const writer = store('one').lease('thr_1');
			writer.later(() => writer.addItem(item('itm_1'), undefined));
			const positions = [writer.addMessageLater('trn_1', '"a"'), writer.addMessageLater('trn_1', '"b"')];
			assert.deepEqual(store('one').messages('thr_1'), []);
			positions.push(writer.addMessage('trn_1', '"c"'), writer.addMessageLater('trn_1', '"d"'));
			writer.settle();
			writer.settle();
			assert.deepEqual(positions, [0, 1, 2, 3]);
			assert.deepEqual(
				store('one')
					.messages('thr_1')
					.map(({ position, body }) => [position, body]),
				[
					[0, '"a"'],
					[1, '"b"'],
					[2, '"c"'],
					[3, '"d"'],
				],
			);
			assert.equal(store('one').lastItems('thr_1', 9).items.length, 1);
		});

		it('still waits when that commit fails, and keeps its place', () => {
			const writer = store('one').lease('thr_1');
			const first = writer.addMessageLater('trn_1', '"a"');
			assert.throws(() =>
				writer.transaction('process', () => {
					writer.addMessage('trn_1', '"lost"');
					throw new Error('in the middle');
				}),
			);
			assert.deepEqual(store('one').messages('thr_1'), []);
			const second = writer.addMessageLater('trn_1', '"b"');
			writer.settle();
			assert.deepEqual([first, second], [0, 1]);
			assert.deepEqual(
				store('one')
					.messages('thr_1')
					.map(({ body }) => body),
				['"a"', '"b"'],
			);
		});

		it('is not written over what another process has written since it took the thread', () => {
			const old = store('one').lease('thr_1');
			old.addMessageLater('trn_1', '"old"');
			clock += storeLimits.leaseMs;
			store('two').lease('thr_1').addMessage('trn_1', '"theirs"');
			assert.throws(() => old.settle(), { code: 'fenced' });
			assert.deepEqual(
				store('two')
					.messages('thr_1')
					.map(({ body }) => body),
				['"theirs"'],
			);
		});
	});

	it('reads the newest items of a long thread, and those before them, by their place', () => {
		const writer = store('one').lease('thr_1');
		writer.transaction('process', () => {
			for (let n = 0; n < 500; n += 1) {
				writer.addItem(
					{ id: `itm_${n}`, turn_id: 'trn_1', kind: 'text', op_id: null, call_id: null, body: '{}' },
					undefined,
				);
			}
		});
		const last = store('one').lastItems('thr_1', 2);
		assert.deepEqual([last.items.map(({ id }) => id), last.earlier], [['itm_498', 'itm_499'], 498]);
		const before = store('one').itemsBefore('thr_1', 'itm_498', 1);
		assert.deepEqual([before?.items.map(({ id }) => id), before?.earlier], [['itm_497'], 497]);
	});

	it('finds the latest turns of all threads by an index, whatever their number', () => {
		const writer = store('one').lease('thr_1');
		for (const [n, startedAt] of ['2026-01-02', '2026-01-03', '2026-01-01', '2026-01-03'].entries()) {
			writer.startTurn({ id: `trn_${n}`, modelId: 'm', startedAt });
		}
		assert.deepEqual(
			store('one')
				.latestTurns(undefined, 3)
				.map(({ id }) => id),
			['trn_0', 'trn_1', 'trn_3'],
		);
		const plan = db.all<{ detail: string }>(
			'EXPLAIN QUERY PLAN SELECT * FROM turns ORDER BY started_at DESC, id DESC LIMIT 3',
		);
		assert.deepEqual(
			plan.map(({ detail }) => detail),
			['SCAN turns USING INDEX turns_by_start'],
		);
	});

	it('forgets the words of what is deleted', () => {
		const writer = store('one').lease('thr_1');
		writer.addItem(
			{ id: 'itm_1', turn_id: 'trn_1', kind: 'user', op_id: null, call_id: null, body: '{}' },
			'a secret plan',
		);
		assert.equal(store('one').list('secret', 10).length, 1);
		writer.delete();
		assert.equal(db.get<{ n: number }>('SELECT count(*) AS n FROM item_text')?.n, 0);
	});
});
