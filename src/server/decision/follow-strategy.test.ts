import assert from 'node:assert/strict';
import { readMessagePlan } from './follow-strategy.ts';

describe('The plan in a message', () => {
	for (const text of [
		'Migrate the whole app to TypeScript, including tests and docs',
		'First do it.',
		'Do this:\n- one thing\n- another\n\nAnd mind that the API must stay as it is.',
		`Do all:\n${Array.from({ length: 9 }, (_, at) => `- step ${at}`).join('\n')}`,
		'a, then b, then c',
	]) {
		it(`is left to a model for ${JSON.stringify(text.slice(0, 60))}`, () => {
			assert.equal(readMessagePlan(text), undefined);
		});
	}

	it('is taken from an order in one sentence', () => {
		assert.equal(
			readMessagePlan('First add a column for the price, then fill it for all rows, and finally write the tests.'),
			[
				'# First add a column for the price, then fill it for all rows, and finally write the tests.',
				'',
				'1. Add a column for the price',
				'2. Fill it for all rows',
				'3. Write the tests',
			].join('\n'),
		);
		assert.match(
			readMessagePlan('Zuerst die Spalte anlegen, dann alle Zeilen füllen und zum Schluss die Tests schreiben') ?? '',
			/1\. Die Spalte anlegen\n2\. Alle Zeilen füllen\n3\. Die Tests schreiben$/,
		);
	});

	it('is taken from a list under the line that says what it is about', () => {
		assert.equal(
			readMessagePlan('Move to ES modules:\n1. List what uses require\n2. Convert src\n3. Run the tests'),
			'# Move to ES modules\n\n1. List what uses require\n2. Convert src\n3. Run the tests',
		);
	});

	it('comes to an end for hostile texts', () => {
		for (const text of [
			'then '.repeat(30_000),
			' '.repeat(120_000),
			`x\n${'- '.repeat(60_000)}`,
			', and'.repeat(100),
		]) {
			assert.doesNotThrow(() => readMessagePlan(text));
		}
	});
});
