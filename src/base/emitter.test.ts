import assert from 'node:assert/strict';
import { Emitter } from './emitter.ts';

describe('Emitter', () => {
	it('tells every listener even when one throws', () => {
		const emitter = new Emitter<number>();
		const heard: number[] = [];
		emitter.event(() => {
			throw new Error('bad listener');
		});
		emitter.event((value) => heard.push(value));
		assert.throws(() => emitter.fire(1), AggregateError);
		assert.deepEqual(heard, [1]);
	});

	it('keeps the second subscription of one function when the first ends', () => {
		const emitter = new Emitter<number>();
		const heard: number[] = [];
		const listener = (value: number) => void heard.push(value);
		const first = emitter.event(listener);
		emitter.event(listener);
		first.dispose();
		emitter.fire(7);
		assert.deepEqual(heard, [7]);
	});

	it('does not tell a listener that an earlier one has just ended', () => {
		const emitter = new Emitter<number>();
		const heard: number[] = [];
		emitter.event(() => second.dispose());
		const second = emitter.event((value) => void heard.push(value));
		emitter.fire(1);
		assert.deepEqual(heard, []);
	});

	it('does not tell a listener added while it fires', () => {
		const emitter = new Emitter<number>();
		const heard: number[] = [];
		const first = emitter.event(() => {
			first.dispose();
			emitter.event((value) => void heard.push(value));
		});
		emitter.fire(1);
		emitter.fire(2);
		assert.deepEqual(heard, [2]);
	});

	it('holds no listener after its end', () => {
		const emitter = new Emitter<number>();
		const heard: number[] = [];
		emitter.event((value) => void heard.push(value));
		emitter.dispose();
		emitter.event((value) => void heard.push(value));
		emitter.fire(1);
		assert.deepEqual(heard, []);
	});
});
