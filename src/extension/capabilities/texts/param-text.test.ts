import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readParam, textOfParam } from './param-text.ts';

const optional = { required: false } as const;
const required = { required: true } as const;

describe('What is typed into the form of a capability', () => {
	for (const [what, input, text, problem] of [
		['nothing, where something is required', { type: 'string', ...required }, '', 'missing'],
		['only spaces, where something is required', { type: 'string', ...required }, '   ', 'missing'],
		['a word for a number', { type: 'number', ...optional }, 'ten', 'notNumber'],
		['infinity', { type: 'number', ...optional }, 'Infinity', 'notNumber'],
		['a number that is too large', { type: 'number', ...optional }, '1e999', 'notNumber'],
		['a hexadecimal number', { type: 'number', ...optional }, '0x10', 'notNumber'],
		['half a list', { type: 'array', ...optional }, '[1,', 'notJson'],
		['half a list of words, as JSON', { type: 'array', items: 'string', ...optional }, '["a",', 'notJson'],
		['a word among numbers', { type: 'array', items: 'number', ...optional }, '1\ntwo\n3', 'notNumbers'],
		['lines for a list of objects', { type: 'array', items: 'object', ...optional }, 'a\nb', 'notJson'],
		['an object for a list', { type: 'array', ...optional }, '{}', 'notArray'],
		['a list for an object', { type: 'object', ...optional }, '[]', 'notObject'],
		['null for an object', { type: 'object', ...optional }, 'null', 'notObject'],
	] as const) {
		it(`is refused: ${what}`, () => {
			const read = readParam(input, text);
			assert.equal('problem' in read && read.problem, problem);
		});
	}

	for (const [what, input, text, value] of [
		['text, with the space around it', { type: 'string', ...required }, ' a ', ' a '],
		['a number', { type: 'number', ...required }, ' -1.5e2 ', -150],
		['a list', { type: 'array', ...required }, ' ["a", 1] ', ['a', 1]],
		['words, one a line', { type: 'array', items: 'string', ...required }, ' a, b \n\n[x\n'.trim(), ['a, b', '[x']],
		['numbers, one a line', { type: 'array', items: 'number', ...required }, '1\n-2.5\n', [1, -2.5]],
		['words, as JSON', { type: 'array', items: 'string', ...required }, '["a\\nb"]', ['a\nb']],
		['an object', { type: 'object', ...required }, '{"a":{"b":[]}}', { a: { b: [] } }],
		['yes or no', { type: 'boolean', ...required }, 'false', false],
		['nothing, as left out', { type: 'number', ...optional }, ' ', undefined],
	] as const) {
		it(`is taken: ${what}`, () => {
			assert.deepEqual(readParam(input, text), { value });
		});
	}

	it('is shown again as it would be typed', () => {
		for (const [input, value] of [
			[{ type: 'string', ...required }, 'a "b"'],
			[{ type: 'number', ...required }, 0.5],
			[{ type: 'object', ...required }, { a: [1, null] }],
			[{ type: 'array', ...required }, ['a', 1]],
			[{ type: 'array', items: 'number', ...required }, [1, 0.5]],
			...[['a', 'b c'], ['two\nlines'], [' space'], ['[a]'], ['']].map(
				(list) => [{ type: 'array', items: 'string', ...required }, list] as const,
			),
		] as const) {
			assert.deepEqual(readParam(input, textOfParam(value, input)), { value });
		}
		assert.equal(textOfParam(undefined, { type: 'string' }), '');
	});
});
