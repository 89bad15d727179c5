import assert from 'node:assert/strict';
import { root } from '../setup/paths.mjs';
import { untranslatedErrors, untranslatedIn } from './error-texts.ts';

describe('The check of error texts', () => {
	const codes = (source: string) => untranslatedIn(source).map(({ line, code }) => `${line}: ${code}`);

	it('finds an error whose user would read the message for the model', () => {
		assert.deepEqual(codes("\nthrow new ProwessError('INVALID_STATE', `it's ${f('x)')}`, { id });"), [
			'2: INVALID_STATE',
		]);
		assert.deepEqual(codes("new ProwessError('INVALID_STATE', 'it ended')"), ['1: INVALID_STATE']);
	});

	for (const [what, source] of [
		['says it in a text', "new ProwessError('INVALID_STATE', 'it ended', { said: text('It ended.') })"],
		['has the facts of a text', "new ProwessError('NOT_FOUND', 'a is not there', { path })"],
		['is said by the editor', "new ProwessError('INVALID_STATE', vscode.l10n.t('It ended.'))"],
		['has facts of another error', "new ProwessError('INVALID_STATE', message, error.facts)"],
		['has a text for every case', "new ProwessError('CANCELLED', 'stopped', {})"],
	] as const) {
		it(`takes an error that ${what}`, () => {
			assert.deepEqual(codes(source), []);
		});
	}

	it('finds none that a user of the editor would read in English', () => {
		assert.deepEqual(untranslatedErrors(root), []);
	});
});
