import assert from 'node:assert/strict';
import { outputForm } from './output-form.ts';

describe('The form of an answer', () => {
	for (const [what, schema] of [
		['a regular expression', { type: 'string', pattern: '(a+)+$' }],
		['one below an array', { anyOf: [{ type: 'object', patternProperties: { 'a+': {} } }] }],
		['a type nobody knows', { type: 'colour' }],
	] as const) {
		it(`cannot have ${what}`, () => {
			assert.throws(() => outputForm(schema), { code: 'INVALID_PARAMS' });
		});
	}

	const form = outputForm({
		type: 'object',
		properties: { pattern: { type: 'string' }, n: { type: 'integer' } },
		required: ['n'],
	});

	it('may have a property that is called pattern', () => {
		assert.deepEqual(form.read('{"n":1,"pattern":"a"}'), { ok: true, value: { n: 1, pattern: 'a' } });
	});

	for (const [what, text] of [
		['alone', '{"n":1}'],
		['in a fence', 'Sure:\n```json\n{"n":1}\n```\nAnything else?'],
		['between words', 'The answer is {"n":1}, I think.'],
	] as const) {
		it(`is found ${what}`, () => assert.deepEqual(form.read(text), { ok: true, value: { n: 1 } }));
	}

	it('is missed in words alone', () => {
		assert.deepEqual(form.read('one'), { ok: false, problem: 'the answer is no JSON' });
	});

	it('is told where it is wrong', () => {
		const read = form.read('{"n":"one"}');
		assert.match(read.ok ? '' : read.problem, /^n: .*number/);
	});
});
