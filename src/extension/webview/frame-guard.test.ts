import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MAX_IMAGE_CHARS } from '../../protocol/ops/images.ts';
import { createFrameGuard, estimateFrameSize } from './frame-guard.ts';

const frame = (method: string, text: string) => ({ kind: 'request', id: 1, method, params: { text } });

describe('frame guard', () => {
	it('refuses what is larger than a message of its kind may be', () => {
		const guard = createFrameGuard(() => 0);
		assert.equal(guard(frame('view/complete', 'x'.repeat(300_000))), 'tooLarge');
		assert.equal(guard(frame('thread/prompt', 'x'.repeat(300_000))), 'pass');
		const picture = 'x'.repeat(MAX_IMAGE_CHARS);
		assert.deepEqual(
			[guard(frame('thread/attach', picture)), guard(frame('thread/prompt', picture))],
			['pass', 'tooLarge'],
		);
	});

	it('refuses more than a hundred messages in a second, and passes again later', () => {
		let now = 0;
		const guard = createFrameGuard(() => now);
		const verdicts = Array.from({ length: 150 }, () => guard(frame('view/complete', '')));
		assert.equal(verdicts.filter((verdict) => verdict === 'tooMany').length, 50);
		now = 500;
		assert.equal(guard(frame('view/complete', '')), 'pass');
	});

	it('stops counting soon after the limit', () => {
		const wide = { list: Array.from({ length: 100_000 }, () => 'x'.repeat(100)) };
		assert.ok(estimateFrameSize(wide, 1000) < 1_000_000);
	});

	it('counts binary data and survives anything else', () => {
		assert.ok(estimateFrameSize(new Uint8Array(5000), 10_000) >= 5000);
		assert.ok(estimateFrameSize([null, undefined, 1, true, () => {}], 1000) > 0);
	});
});
