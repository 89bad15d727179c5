import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type LearnedLimit, LearnedLimits } from './learned-limits.ts';

const DAY_MS = 24 * 3_600_000;
const endpoint = { baseUrl: 'http://127.0.0.1:1/v1', modelId: 'tiny', settings: '{}' };
const tiny = { id: 'mine/tiny', contextWindow: 8_000, endpoint };

describe('LearnedLimits', () => {
	let stored: LearnedLimit[];
	let at: number;
	const kept = { all: () => stored, keep: (limit: LearnedLimit) => void stored.push(limit) };
	const opened = () => new LearnedLimits({ kept, now: () => at });

	beforeEach(() => {
		stored = [];
		at = 1_000;
	});

	it('holds in this process where it cannot be kept, and the log says so', () => {
		const logged: string[] = [];
		const full = { all: () => [], keep: () => assert.fail('the disk is full') };
		const limits = new LearnedLimits({ kept: full, log: (message) => logged.push(message) });
		limits.learn(tiny, 3_000);
		assert.equal(limits.of(tiny), 3_000);
		assert.equal(logged.length, 1);
	});

	it('does not keep that of a model without an address', () => {
		const limits = opened();
		const ofEditor = { id: 'editor/x', contextWindow: 8_000 };
		limits.learn(ofEditor, 3_000);
		assert.equal(limits.of(ofEditor), 3_000);
		assert.deepEqual(stored, []);
	});

	it('holds after a restart for a week', () => {
		opened().learn(tiny, 3_000);
		at += 6 * DAY_MS;
		assert.equal(opened().of(tiny), 3_000);
		at += 2 * DAY_MS;
		assert.equal(opened().of(tiny), undefined);
		assert.deepEqual(opened().list(), []);
	});

	for (const [what, changed] of [
		['window', { ...tiny, contextWindow: 16_000 }],
		['settings', { ...tiny, endpoint: { ...endpoint, settings: '{"maxOutput":1}' } }],
		['address', { ...tiny, endpoint: { ...endpoint, baseUrl: 'http://127.0.0.1:2/v1' } }],
	] as const) {
		it(`ends when the model has another ${what}`, () => {
			const limits = opened();
			limits.learn(tiny, 3_000);
			assert.equal(limits.of(changed), undefined);
			assert.equal(limits.of(tiny), 3_000);
		});
	}
});
