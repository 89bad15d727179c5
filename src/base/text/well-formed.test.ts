import assert from 'node:assert/strict';
import { lineOfHalfPair, stringifyWellFormed } from './well-formed.ts';

describe('Half a surrogate pair', () => {
	it('becomes U+FFFD in JSON that is sent, and nothing else changes', () => {
		const rows = [
			['a \ud83d b', 'a \ufffd b'],
			['\ude00', '\ufffd'],
			['\ude00\ud83d', '\ufffd\ufffd'],
			['\ud83d\ude00', '\ud83d\ude00'],
			['\\ud83d', '\\ud83d'],
			['\\\ud83d', '\\\ufffd'],
			['plain', 'plain'],
		];
		for (const [text, sent] of rows) {
			assert.deepEqual(JSON.parse(stringifyWellFormed({ text, [`${text}!`]: 1 })), { text: sent, [`${sent}!`]: 1 });
		}
	});

	it('is found by its line', () => {
		assert.equal(lineOfHalfPair('a\nb \ud83d\ude00'), undefined);
		assert.equal(lineOfHalfPair('a\nb \ud83d'), 2);
		assert.equal(lineOfHalfPair('\udc00'), 1);
	});
});
