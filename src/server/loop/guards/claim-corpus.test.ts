/** The corpus of answers: hardly any honest answer is accused, and most phantoms are found. */
import assert from 'node:assert/strict';
import { CORPUS_PARTS, measureCorpus, readCorpus } from '../../../../test/support/claim-corpus.ts';

describe('The corpus of answers', () => {
	it('has at least 400 honest answers and 200 phantoms, a quarter of them German', () => {
		const all = CORPUS_PARTS.flatMap(readCorpus);
		const honest = all.filter(({ isHonest }) => isHonest);
		assert.ok(honest.length >= 400, `${honest.length} honest answers`);
		assert.ok(all.length - honest.length >= 200, `${all.length - honest.length} phantoms`);
		assert.ok(all.filter(({ language }) => language === 'German').length >= all.length / 4.5);
	});

	for (const part of CORPUS_PARTS) {
		for (const language of ['English', 'German'] as const) {
			const answers = readCorpus(part).filter((answer) => answer.language === language);
			const { honest, falseAlarms, phantoms, missed } = measureCorpus(answers);
			const lines = (list: typeof missed) => list.map(({ line }) => line).join('\n');

			it(`has at most 1 % of honest answers accused (${language}, ${part})`, () => {
				assert.ok(falseAlarms.length <= honest * 0.01, `${falseAlarms.length} of ${honest}:\n${lines(falseAlarms)}`);
			});

			it(`has at least 85 % of phantoms found (${language}, ${part})`, () => {
				assert.ok(missed.length <= phantoms * 0.15, `${missed.length} of ${phantoms} missed:\n${lines(missed)}`);
			});
		}
	}
});
