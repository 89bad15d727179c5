import assert from 'node:assert/strict';
import { loopLimits } from '../limits.ts';
import { RepeatedText } from './repeated-text.ts';

/** Returns the verdict on a text that comes in pieces of seven characters. */
function verdict(text: string): string | undefined {
	const watch = new RepeatedText();
	for (let at = 0; at < text.length; at += 7) {
		const said = watch.goesOnForEver(text.slice(at, at + 7));
		if (said !== undefined) {
			return said;
		}
	}
	return undefined;
}

describe('A text that comes piece by piece', () => {
	it('is stopped when one line comes for ever, also after other words', () => {
		assert.equal(verdict('I will fix it. '.repeat(2_000)), 'repeats');
		assert.equal(
			verdict('Here is the answer.\n' + 'a longer sentence, said again and again\n'.repeat(1_000)),
			'repeats',
		);
		assert.equal(verdict('ha'.repeat(20_000)), 'repeats');
	});

	it('goes on where its lines only look alike', () => {
		const table = Array.from({ length: 2_000 }, (_, n) => `| ${n} | value | ok |\n`).join('');
		assert.equal(verdict(table), undefined);
		assert.equal(verdict('-'.repeat(400)), undefined);
		assert.equal(verdict('const a = 1;\n'.repeat(40)), undefined);
	});

	it('is stopped when it is longer than any answer', () => {
		const watch = new RepeatedText();
		let said: string | undefined;
		for (let n = 0; said === undefined && n < 100; n += 1) {
			said = watch.goesOnForEver(Array.from({ length: 20_000 }, (_, m) => `${n}.${m} `).join(''));
		}
		assert.equal(said, 'long');
	});

	it('is told from a long answer of many pieces', () => {
		const watch = new RepeatedText();
		for (let n = 0; n * 10 < loopLimits.answerChars; n += 1) {
			assert.equal(watch.goesOnForEver(`${String(n).padStart(8, '0')} `), undefined);
		}
	});
});
