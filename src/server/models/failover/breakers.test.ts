import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_PAUSE, type ModelPause } from '../../../protocol/turn/models.ts';
import { Breakers } from './breakers.ts';

describe('the breaker of a provider', () => {
	let now = 0;
	let changes = 0;
	let pause = DEFAULT_PAUSE as ModelPause;
	const breakers = () => {
		now = 0;
		changes = 0;
		pause = DEFAULT_PAUSE;
		return new Breakers(
			() => (changes += 1),
			() => pause,
			() => now,
		);
	};

	/** Paused for a minute; then one request tries it. */
	const tried = () => {
		const each = breakers();
		for (let n = 0; n < 3; n += 1) {
			each.failed('a');
		}
		now = 60_000;
		assert.equal(each.passesOver('a'), false);
		return each;
	};

	it('opens after three faults in a minute, for a minute, and lets one request try', () => {
		const each = breakers();
		each.failed('a');
		each.failed('a');
		assert.equal(each.passesOver('a'), false);
		now = 59_999;
		each.failed('a');
		assert.equal(each.passesOver('a'), true);
		assert.deepEqual(each.open(), [{ provider: 'a', seconds: 60 }]);
		now += 60_000;
		assert.deepEqual([each.passesOver('a'), each.passesOver('a')], [false, true]);
	});

	it('closes when that request is answered, and opens again when it is not', () => {
		const each = tried();
		each.failed('a');
		assert.equal(each.passesOver('a'), true);
		now = 120_000;
		assert.equal(each.passesOver('a'), false);
		each.answered('a');
		assert.deepEqual([each.passesOver('a'), each.open()], [false, []]);
	});

	it('lets another one try when nothing was heard of the first for a minute', () => {
		const each = tried();
		now = 119_999;
		assert.equal(each.passesOver('a'), true);
		now = 120_000;
		assert.equal(each.passesOver('a'), false);
	});

	it('is still open to all others while one request tries', () => {
		const each = tried();
		now = 61_000;
		assert.deepEqual([each.wouldPassOver('a'), each.open()], [true, [{ provider: 'a', seconds: 59 }]]);
		each.answered('a');
		assert.deepEqual([each.wouldPassOver('a'), each.open()], [false, []]);
	});

	it('forgets faults that are older than a minute, and those of other providers', () => {
		const each = breakers();
		each.failed('a');
		each.failed('a');
		each.failed('b');
		now = 60_001;
		each.failed('a');
		assert.deepEqual([each.passesOver('a'), each.passesOver('b')], [false, false]);
	});

	it('opens as often and for as long as the settings say, and a pause that has begun keeps its length', () => {
		const each = breakers();
		pause = { faults: 2, withinSeconds: 5, pauseSeconds: 10 };
		each.failed('a');
		now = 5_000;
		each.failed('a');
		assert.equal(each.passesOver('a'), false);
		now = 9_999;
		each.failed('a');
		pause = { ...pause, pauseSeconds: 3_600 };
		now = 19_998;
		assert.equal(each.passesOver('a'), true);
		now = 19_999;
		assert.equal(each.passesOver('a'), false);
		now = 1_000_000;
		assert.equal(each.passesOver('a'), true);
		each.failed('a');
		assert.deepEqual(each.open(), [{ provider: 'a', seconds: 3_600 }]);
	});

	it('is closed by hand', () => {
		const each = breakers();
		for (let n = 0; n < 3; n += 1) {
			each.failed('a');
		}
		each.reset();
		assert.equal(each.passesOver('a'), false);
	});

	it('says when it opens and when it closes, and nothing else', () => {
		const each = breakers();
		each.failed('a');
		each.answered('a');
		for (let n = 0; n < 2; n += 1) {
			each.failed('a');
		}
		assert.equal(changes, 0);
		each.failed('a');
		assert.equal(changes, 1);
		each.answered('a');
		assert.equal(changes, 2);
		each.reset();
		assert.equal(changes, 2);
	});

	it('counts the faults of a provider since it answered last', () => {
		const each = new Breakers();
		for (let n = 1; n <= 5; n += 1) {
			each.failed('a');
			assert.deepEqual([each.failuresOf('a'), each.failuresOf('b')], [n, 0]);
		}
		each.answered('a');
		assert.equal(each.failuresOf('a'), 0);
	});
});
