import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type KeepTrace, TurnTracer } from './stage-trace.ts';

describe('TurnTrace', () => {
	it('says of the stage how many of its steps were too many to be kept', async () => {
		const trace = new TurnTracer(() => {});
		const begin450 = () => {
			for (let n = 0; n < 450; n += 1) {
				trace.begin('Guard', { call: `call ${n}` })('warn');
			}
		};
		await trace.stage('Execute', begin450, () => ({ kind: 'done' }));
		await trace.stage(
			'FailoverDecide',
			() => {},
			() => ({}),
		);
		assert.equal(trace.stages.length, 402);
		assert.deepEqual(trace.stages.at(-2)?.facts, { kind: 'done', stepsLeftOut: 50 });
		assert.deepEqual(trace.stages.at(-1)?.facts, {});
	});

	it('keeps each step at once when it begins, and all else later', async () => {
		const kept: KeepTrace[] = [];
		const trace = new TurnTracer((_, when) => kept.push(when));
		await assert.rejects(
			trace.stage(
				'Execute',
				() => {
					trace.begin('Request', { model: 'm' })('ok');
					throw new Error('the model does not answer');
				},
				() => ({}),
			),
		);
		assert.equal(trace.stages.at(-1)?.outcome, 'failed');
		trace.end();
		assert.deepEqual(kept, ['now', 'soon', 'soon', 'now']);
	});
});
