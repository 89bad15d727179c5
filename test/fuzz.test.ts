import assert from 'node:assert/strict';
import { fuzzExecutorFrames, fuzzViewMessages } from './fuzz.ts';

/** `npm run soak` has fifty and twenty times as many. */
const executorFrames = 100_000;
const viewMessages = 50_000;
const seed = 20_261_121;

describe('What nobody meant to send', function () {
	this.timeout(120_000);

	it(`from an executor is refused, or taken for what it is: ${executorFrames} frames (R-09)`, () => {
		const { accepted } = fuzzExecutorFrames(executorFrames, seed);
		// The frames are near enough to good ones that both ends of the reader are tried.
		assert.ok(accepted > executorFrames / 20 && accepted < executorFrames / 2, String(accepted));
	});

	it(`from the view reaches a handler in the declared shape only, and is answered once: ${viewMessages} messages`, async () => {
		const { handled } = await fuzzViewMessages(viewMessages, seed);
		assert.ok(handled > 0 && handled < viewMessages, String(handled));
	});
});
