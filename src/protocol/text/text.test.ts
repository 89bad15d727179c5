import assert from 'node:assert/strict';
import { inEnglish, isText, text, translateText } from './text.ts';

describe('a text for people', () => {
	it('keeps a name that has no argument', () => {
		assert.equal(inEnglish(text('{a} and {b} and {toString}', { a: 1 })), '1 and {b} and {toString}');
	});

	it('is not filled a second time by what an argument holds', () => {
		assert.equal(inEnglish(text('{a} {b}', { a: '{b}', b: 'x' })), '{b} x');
	});

	it('is translated with the texts that stand in it', () => {
		const german: Record<string, string> = { 'Not {what}.': 'Nicht {what}.', now: 'jetzt' };
		assert.equal(
			translateText(text('Not {what}.', { what: text('now') }), (template) => german[template] ?? template),
			'Nicht jetzt.',
		);
	});

	for (const value of [
		undefined,
		null,
		'text',
		{},
		{ template: 1, args: {} },
		{ template: 'x' },
		{ template: 'x', args: null },
	]) {
		it(`is not ${JSON.stringify(value) ?? 'undefined'}`, () => {
			assert.equal(isText(value), false);
		});
	}
});
