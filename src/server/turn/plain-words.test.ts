import assert from 'node:assert/strict';
import { hasPlainWord, readFirstWord, readPlainWords, toWordSet } from './plain-words.ts';

describe('Words that are read without a pattern', () => {
	it('are runs of letters and digits in lower case, whatever marks stand between them', () => {
		const text = 'Führe „npm test“ 10x aus — then re-run `src/a.ts`, isn’t it?\nОк';
		const words = 'führe npm test 10x aus then re run src a ts isn t it ок';
		assert.equal([...readPlainWords(text)].join(' '), words);
	});

	it('begin a request only where no mark stands before them', () => {
		const polite = toWordSet('please', 'bitte now');
		const firstOf = (text: string) => readFirstWord(text, polite);
		assert.deepEqual(['Please, now FIX it', '  bitte', '`fix` it', ''].map(firstOf), ['fix', '', '', '']);
		assert.ok(hasPlainWord('Fix it, please!', polite));
		assert.ok(!hasPlainWord('pleased', polite));
	});
});
