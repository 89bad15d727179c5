import assert from 'node:assert/strict';
import type { OpProgress } from '../../protocol/turn/broker.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import { ToldProgress } from './told-progress.ts';

describe('Progress of an op', () => {
	const opId = newId('op');
	const running: OpProgress = { opId, kind: 'running' };
	const waiting: OpProgress = { opId, kind: 'waiting', reason: 'a person is asked' };
	const output: OpProgress = { opId, kind: 'output', chunk: 'x' };
	let told: OpProgress[];
	let heard: PromiseWithResolvers<void>;
	let progress: ToldProgress;

	beforeEach(() => {
		told = [];
		heard = Promise.withResolvers();
		progress = new ToldProgress((each) => {
			told.push(each);
			heard.resolve();
		});
	});
	afterEach(() => progress.ended());

	it('is not told of an op that ends at once', () => {
		progress.told(running);
		progress.ended();
		assert.deepEqual(told, []);
	});

	it('is told when the op has run for a moment', async () => {
		progress.told(running);
		assert.deepEqual(told, []);
		await heard.promise;
		assert.deepEqual(told, [running]);
	});

	it('is told in order, and at once after a question', () => {
		progress.told(running);
		progress.told(output);
		progress.told(waiting);
		progress.told(running);
		assert.deepEqual(told, [running, output, waiting, running]);
	});

	it('is told at once with what let the op through', () => {
		const allowed: OpProgress = { ...running, allowedBy: { kind: 'rule', rule: 'fs.read(*)' } as never };
		progress.told(allowed);
		assert.deepEqual(told, [allowed]);
	});
});
