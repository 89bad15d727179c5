import assert from 'node:assert/strict';
import { below, pick, seeded } from '../../../../test/support/seeded.ts';
import { countsIn, splitSearchWords } from '../../../protocol/offer/word-counts.ts';
import { countsOfIndex, createWordIndex } from './word-index.ts';

const parts = [
	'form',
	'forms',
	'Formular',
	'in-voice',
	'Ärger',
	'übung',
	'é',
	'日本語',
	'x2',
	'x2s',
	'x24',
	'the',
	'für',
	'A/B',
	"don't",
	'…',
	'İz',
	'-',
	'_',
];

describe('An index of words', () => {
	it('counts as a search through all texts does', () => {
		const random = seeded(7);
		const sentence = (most: number) =>
			Array.from({ length: below(random, most) }, () => pick(random, parts)).join(pick(random, [' ', '', ', ']));
		for (let round = 0; round < 200; round += 1) {
			const some = Array.from({ length: below(random, 12) }, () => ({ name: sentence(4), description: sentence(120) }));
			const words = splitSearchWords(sentence(20));
			const [kept, searched] = [countsOfIndex(createWordIndex(some)), countsIn(some)];
			assert.deepEqual([...Array.from(kept.lengths)], [...Array.from(searched.lengths)]);
			assert.deepEqual(
				kept.of(words).map((each) => Array.from(each)),
				searched.of(words).map((each) => Array.from(each)),
				words.join(),
			);
		}
	});
});
