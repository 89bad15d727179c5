import assert from 'node:assert/strict';
import { DisposableStore, MutableDisposable, toDisposable } from './disposable.ts';

describe('DisposableStore', () => {
	it('ends every member even when one throws, then says how many did', () => {
		const ended: string[] = [];
		const store = new DisposableStore();
		store.add(toDisposable(() => ended.push('first')));
		store.add({
			dispose() {
				throw new Error('stuck');
			},
		});
		store.add(toDisposable(() => ended.push('last')));
		assert.throws(
			() => store.dispose(),
			(error) => error instanceof AggregateError && error.message.startsWith('1 of 3 disposables'),
		);
		assert.deepEqual(ended, ['last', 'first']);
	});

	it('ends at once what is added after its own end', () => {
		const store = new DisposableStore();
		store.dispose();
		let ended = false;
		store.add(toDisposable(() => (ended = true)));
		assert.equal(ended, true);
		assert.equal(store.isDisposed, true);
	});

	it('ends what a member adds while it is ending', () => {
		const store = new DisposableStore();
		let ended = false;
		store.add(toDisposable(() => store.add(toDisposable(() => (ended = true)))));
		store.dispose();
		assert.equal(ended, true);
	});

	it('ends each member once, however often it is disposed', () => {
		let times = 0;
		const store = new DisposableStore();
		store.add({ dispose: () => (times += 1) });
		store.dispose();
		store.dispose();
		assert.equal(times, 1);
	});

	it('does not end what it was told to forget', () => {
		let ended = false;
		const store = new DisposableStore();
		const member = store.add({ dispose: () => (ended = true) });
		store.delete(member);
		store.dispose();
		assert.equal(ended, false);
	});
});

describe('toDisposable', () => {
	it('runs its function at most once, also when the function throws', () => {
		let times = 0;
		const disposable = toDisposable(() => {
			times += 1;
			throw new Error('stuck');
		});
		assert.throws(() => disposable.dispose(), /stuck/);
		disposable.dispose();
		assert.equal(times, 1);
	});
});

describe('MutableDisposable', () => {
	const recording = (log: string[], name: string) => ({ dispose: () => void log.push(name) });

	it('owns the new value even when the old one does not end cleanly', () => {
		const log: string[] = [];
		const holder = new MutableDisposable();
		holder.value = {
			dispose() {
				throw new Error('stuck');
			},
		};
		assert.throws(() => (holder.value = recording(log, 'new')), /stuck/);
		holder.dispose();
		assert.deepEqual(log, ['new']);
	});

	it('ends the old value when a new one is assigned, and nothing when the same is', () => {
		const log: string[] = [];
		const holder = new MutableDisposable();
		const first = recording(log, 'first');
		holder.value = first;
		holder.value = first;
		assert.deepEqual(log, []);
		holder.value = recording(log, 'second');
		assert.deepEqual(log, ['first']);
		holder.dispose();
		assert.deepEqual(log, ['first', 'second']);
		assert.equal(holder.value, undefined);
	});

	it('ends at once what is assigned after its own end', () => {
		const log: string[] = [];
		const holder = new MutableDisposable();
		holder.dispose();
		holder.value = recording(log, 'late');
		assert.deepEqual(log, ['late']);
		assert.equal(holder.value, undefined);
	});
});
