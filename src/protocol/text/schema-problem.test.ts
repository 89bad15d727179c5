import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { toErrorMessage } from '../../base/text/message-of.ts';
import * as z from './zod.ts';

/** Each problem as it is shown: with its place before it. */
function problemsOf(schema: z.ZodType, value: unknown): string[] {
	return (schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => [...path, message].join(': '));
}

describe('a value that does not fit its schema', () => {
	const params = z.strictObject({ path: z.string().min(1), offset: z.int().positive().optional() });

	it('names what is missing', () => {
		assert.deepEqual(problemsOf(params, {}), ['path: required']);
	});

	it('is one line wherever an error is shown, not the dump that the library makes of it', () => {
		const { error } = z
			.strictObject({ hooks: z.array(z.union([z.number(), z.object({ a: z.string() })])) })
			.safeParse({ hooks: ['x', {}] });
		assert.match(error?.message ?? '', /^\[\n/);
		assert.equal(toErrorMessage(error), 'hooks.0: expected a number or an object, got "x"; hooks.1: a: required');
		assert.equal(toErrorMessage(Object.assign(new Error('plain'), { issues: 3 })), 'plain');
	});

	it('says what is expected and what was found', () => {
		assert.deepEqual(problemsOf(params, { path: 7, offset: 'x' }), [
			'path: expected text, got 7',
			'offset: expected a number, got "x"',
		]);
		assert.deepEqual(problemsOf(params, { path: '', offset: 1.5 }), [
			'path: must not be empty',
			'offset: expected a whole number, got 1.5',
		]);
		assert.deepEqual(problemsOf(params, { path: 'a', offset: 0 }), ['offset: expected more than 0, got 0']);
		assert.deepEqual(problemsOf(params, []), ['expected an object, got a list']);
		assert.deepEqual(problemsOf(z.array(z.string()).max(1), ['a', 'b']), ['expected at most 1 entries, got 2']);
		assert.deepEqual(problemsOf(z.string().max(2), 'abc'), ['expected at most 2 characters, got 3']);
		assert.deepEqual(problemsOf(z.boolean(), 'yes'), ['expected true or false, got "yes"']);
		assert.deepEqual(problemsOf(z.iso.datetime(), 'now'), [
			'expected a date and time, such as 2026-11-20T14:30:00Z, got "now"',
		]);
	});

	it('names the values that are known, and the one that was probably meant', () => {
		const level = z.enum(['SAFE', 'MONITORED']);
		assert.deepEqual(problemsOf(level, 'MONITOR'), [
			'expected one of "SAFE", "MONITORED", got "MONITOR"; did you mean "MONITORED"?',
		]);
		assert.deepEqual(problemsOf(level, 3), ['expected one of "SAFE", "MONITORED", got 3']);
		assert.deepEqual(problemsOf(level, undefined), ['required, one of "SAFE", "MONITORED"']);
		assert.deepEqual(problemsOf(z.literal('skill'), 'power'), ['expected "skill", got "power"']);
	});

	it('names each field that is not known, and the one that was probably meant', () => {
		assert.deepEqual(problemsOf(params, { path: 'a', ofset: 1 }), ['there is no "ofset", did you mean "offset"?']);
		assert.deepEqual(problemsOf(params, { path: 'a', auth: {} }), ['there is no "auth"; there is "path", "offset"']);
		assert.deepEqual(problemsOf(z.strictObject({}), { a: 1 }), ['there is no "a"; there is nothing to give']);
	});

	it('says of several alternatives what they expect, or what is wrong with the one that was meant', () => {
		assert.deepEqual(problemsOf(z.union([z.string(), z.array(z.string())]), 5), ['expected text or a list, got 5']);
		const kinds = z.discriminatedUnion('kind', [
			z.object({ kind: z.literal('a'), n: z.number() }),
			z.object({ kind: z.literal('b') }),
		]);
		assert.deepEqual(problemsOf(kinds, { kind: 'a' }), ['n: required']);
		assert.match(problemsOf(kinds, { kind: 'c' }).join(), /^kind: (kind: )?expected one of "a", "b"|kind/);
		assert.deepEqual(problemsOf(z.union([z.object({ a: z.object({ b: z.string() }) }), z.string()]), { a: { b: 1 } }), [
			'a.b: expected text, got 1',
		]);
	});

	it('keeps the words that a schema has of its own', () => {
		assert.deepEqual(problemsOf(z.string().regex(/^a/, 'must begin with a'), 'b'), ['must begin with a']);
		assert.deepEqual(
			problemsOf(
				z.string().refine(() => false, 'give either'),
				'b',
			),
			['give either'],
		);
	});

	it('is described so wherever a schema is written', () => {
		const direct = globSync('src/protocol/**/!(*.test).ts').filter((file) =>
			readFileSync(file, 'utf8').includes("from 'zod'"),
		);
		assert.deepEqual(direct.map((file) => basename(file)).toSorted(), ['schema-problem.ts', 'zod.ts']);
	});

	it('is not quoted at length', () => {
		assert.ok((problemsOf(z.number(), 'x'.repeat(10_000))[0] ?? '').length < 150);
	});
});
