import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { Calibrations } from './calibrations.ts';
import type { StopReason } from '../model-port.ts';

const place = { baseUrl: 'http://127.0.0.1:1/v1', modelId: 'tiny' };
const usage = (inputTokens: number, estimated = false) => ({
	inputTokens,
	outputTokens: 5,
	cachedInputTokens: 0,
	estimated,
});
const ended = (inputTokens: number) => ({ stopReason: 'stop' as StopReason, usage: usage(inputTokens) });

describe('Calibrations', () => {
	let calibrations: Calibrations;
	beforeEach(() => {
		calibrations = new Calibrations();
	});

	const ignored = [
		['an answer that was cut off', { stopReason: undefined, usage: undefined }],
		['an answer at its token limit', { stopReason: 'length', usage: usage(15_000) }],
		['a refusal', { stopReason: 'refusal', usage: usage(15_000) }],
		['what we have estimated ourselves', { stopReason: 'stop', usage: usage(15_000, true) }],
		['a count that cannot be of this request', ended(10)],
		['a count that is far too high', ended(200_000)],
	] as const;
	for (const [what, answer] of ignored) {
		it(`learns nothing from ${what}`, () => {
			calibrations.measured(place, 10_000, answer);
			assert.equal(calibrations.of(place), 1);
		});
	}

	it('comes nearer with each answer, model by model, and forgets old ones', () => {
		calibrations.measured(place, 10_000, ended(14_000));
		assert.equal(calibrations.of(place), 1.06);
		assert.equal(calibrations.of({ ...place, modelId: 'other' }), 1);
		for (let n = 0; n < 40; n += 1) {
			calibrations.measured(place, 10_000, ended(14_000));
		}
		assert.ok(Math.abs(calibrations.of(place) - 1.4) < 0.01);
	});

	it('stays between a half and twice our estimate', () => {
		for (let n = 0; n < 100; n += 1) {
			calibrations.measured(place, 10_000, ended(28_000));
		}
		assert.equal(calibrations.of(place), 2);
		for (let n = 0; n < 100; n += 1) {
			calibrations.measured(place, 10_000, ended(4_000));
		}
		assert.equal(calibrations.of(place), 0.5);
	});
});
