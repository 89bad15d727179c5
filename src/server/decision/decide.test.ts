import assert from 'node:assert/strict';
import { findFastPath } from './decide.ts';
import type { FastPath } from './fast-path.ts';
import { greeting } from './greeting.ts';

describe('The table of fast paths', () => {
	for (const text of [
		'',
		'...',
		'read src/a.ts and fix it',
		'read src/a.ts, src/b.ts',
		'read src/a.ts\nand src/b.ts',
		'read src/*.ts',
		'read src/a.ts:10',
		'read src/',
		'read it',
		'show ...',
		'show me the tests',
		'open https://example.com/a.txt',
		'why does read src/a.ts fail?',
		'hello world in rust',
		'Hello\nsecond line',
		'hi, fix src/a.ts',
		'thanks, now run the tests',
		'what time is it in Tokyo?',
		'what time complexity is it?',
		'what is the date format in src/a.ts?',
		'which models are there in src/models?',
		'list models of the database',
		`read ${'a/'.repeat(300)}b.ts`,
	]) {
		it(`leaves ${JSON.stringify(text.slice(0, 50))} to the model`, () => {
			assert.equal(findFastPath(text)?.path.name, undefined);
		});
	}

	it('goes on after a fast path whose match throws', () => {
		const broken: FastPath = {
			name: 'broken',
			match: () => {
				throw new Error('no');
			},
			run: async () => {},
		};
		assert.equal(findFastPath('hello', [broken]), undefined);
		assert.equal(findFastPath('hello', [broken, greeting])?.path, greeting);
	});

	for (const [text, name, match] of [
		['hello', 'greeting', 'hello'],
		['  Hi there!', 'greeting', 'hello'],
		['Thanks.', 'greeting', 'thanks'],
		['What time is it?', 'date-time', true],
		['what’s the date today?', 'date-time', true],
		['Which models are there?', 'models', true],
		['list models', 'models', true],
		['read src/a.ts', 'read-file', 'src/a.ts'],
		['Show me the file README.md.', 'read-file', 'README.md'],
		['open "my notes.txt"', 'read-file', 'my notes.txt'],
		['open .gitignore', 'read-file', '.gitignore'],
	] as const) {
		it(`answers ${JSON.stringify(text)} by ${name}`, () => {
			const found = findFastPath(text);
			assert.deepEqual([found?.path.name, found?.match], [name, match]);
		});
	}
});
