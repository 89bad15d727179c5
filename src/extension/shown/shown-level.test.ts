import assert from 'node:assert/strict';
import { Emitter } from '../../base/emitter.ts';
import type { Levels } from '../../trust/gate/policy/levels/level-register.ts';
import { testHost } from '../../../test/support/host-ports.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { newId, type ThreadId } from '../../protocol/rpc/ids.ts';
import { pickNarrowerLevel, type PermissionLevel } from '../../protocol/ops/permission-level.ts';
import { ShownLevel } from './shown-level.ts';

const never = new AbortController().signal;

describe('The level of the thread on the screen', () => {
	/** A host whose levels are kept in memory, at most as wide as `widest`. */
	function shown({ widest = 'full', says = true }: { widest?: PermissionLevel; says?: boolean } = {}) {
		const { settings, log } = testHost().ports;
		const kept = new Map<ThreadId | null, PermissionLevel>();
		const of: Levels['of'] = async (id) => ({
			level: pickNarrowerLevel(kept.get(id) ?? 'ask', widest),
			widest,
			why: null,
		});
		const changed = new Emitter<ThreadId>();
		const levels: Pick<Levels, 'of' | 'set' | 'onDidChange'> = {
			of,
			async set(id, level, signal) {
				kept.set(id, level);
				changed.fire(id);
				return await of(id, signal);
			},
			onDidChange: changed.event,
		};
		const moved = new Emitter<ThreadId | null>();
		const current = { id: null as ThreadId | null, onDidChange: moved.event };
		const show = (id: ThreadId | null) => {
			current.id = id;
			moved.fire(id);
		};
		const questions: string[] = [];
		const confirm = async () => {
			questions.push('full');
			return says;
		};
		return {
			level: new ShownLevel({ current, settings, log, base: () => ({ levels }), confirm }),
			kept,
			show,
			questions,
		};
	}
	const levelOf = async (level: ShownLevel, id: ThreadId | null) => (await level.of(id, never)).level;

	it('is not Full by a word of the page: the person is asked, and a no changes nothing', async () => {
		const id = newId('thr');
		const { level, kept, show, questions } = shown({ says: false });
		assert.equal((await level.choose(null, 'full', never)).level, 'ask');
		await level.begun(id, never);
		show(id);
		assert.equal((await level.choose(id, 'full', never)).level, 'ask');
		assert.deepEqual([questions.length, kept.size], [2, 0]);
	});

	it('changes only for what is on the screen', async () => {
		const { level, kept, show } = shown();
		show(newId('thr'));
		await level.choose(newId('thr'), 'auto', never);
		await level.choose(null, 'auto', never);
		assert.equal(kept.size, 0);
	});

	it('cannot be one that is forbidden, for a thread that is yet to begin either', async () => {
		const { level, questions } = shown({ widest: 'edit' });
		for (const wide of ['auto', 'full'] as const) {
			await assert.rejects(
				level.choose(null, wide, never),
				(error) => isProwessError(error) && error.code === 'DENIED_BY_RULE',
			);
		}
		assert.deepEqual([await levelOf(level, null), questions], ['ask', []]);
	});

	it('is chosen before the thread begins, for that thread alone', async () => {
		const [first, second] = [newId('thr'), newId('thr')];
		const { level, kept, show } = shown();
		await level.choose(null, 'edit', never);
		assert.equal(await levelOf(level, null), 'edit');
		await level.begun(first, never);
		show(first);
		assert.equal(await levelOf(level, first), 'edit');
		show(null);
		assert.equal(await levelOf(level, null), 'ask');
		await level.begun(second, never);
		assert.deepEqual([...kept], [[first, 'edit']]);
	});

	it('is announced when it is looked at, because a rule may have changed since', async () => {
		const { level, kept } = shown();
		const told: string[] = [];
		level.onDidChange(({ inForce }) => told.push(inForce.level));
		kept.set(null, 'auto');
		await level.of(null, never);
		await level.of(newId('thr'), never);
		assert.deepEqual(told, ['auto']);
	});

	it('that was chosen for a new thread is let go of when another one is shown', async () => {
		const { level, kept, show } = shown();
		await level.choose(null, 'full', never);
		show(newId('thr'));
		show(null);
		await level.begun(newId('thr'), never);
		assert.equal(kept.size, 0);
	});
});
