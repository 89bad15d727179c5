import assert from 'node:assert/strict';
import { readFileMention, mentionsIn } from './file-mentions.ts';

function found(text: string): string[] {
	return mentionsIn(text).flatMap((each) => (typeof each === 'string' ? [] : [`${each.path} ${each.line}`]));
}

describe('files that a text names', () => {
	for (const text of [
		'',
		'localhost:3000',
		'127.0.0.1:8080/a',
		'https://example.com:443/a.ts',
		'at 12:30:45',
		'v1.2.3:4',
		'a.ts:12x',
		'a.ts:',
		'C:\\work\\a.ts:12',
		'\\\\host\\share\\a.ts:12',
		'//host/share/a.ts:12',
	]) {
		it(`are none in ${JSON.stringify(text)}`, () => assert.deepEqual(found(text), []));
	}

	for (const [text, ...files] of [
		['see src/cart.ts:12.', 'src/cart.ts 12'],
		['a.ts:1, b.ts:2:3 and c.ts:4', 'a.ts 1', 'b.ts 2', 'c.ts 4'],
		['src/a.ts(12,5): error TS1005', 'src/a.ts 12'],
		['  File "src/deep/a.py", line 7, in main', 'src/deep/a.py 7'],
		['    at run (/srv/shop/src/a.ts:9:11)', '/srv/shop/src/a.ts 9'],
		['    at file:///srv/shop/a.mjs:9:11', '/srv/shop/a.mjs 9'],
		['./.github/workflows/ci.yml:3', './.github/workflows/ci.yml 3'],
		['../a.ts:3', '../a.ts 3'],
		['src/a.ts:0', 'src/a.ts 1'],
	] as const) {
		it(`are found in ${JSON.stringify(text)}`, () => assert.deepEqual(found(text), files));
	}

	it('may have names as long as a file system has them, in many folders', () => {
		const long = `${'a'.repeat(252)}.ts`;
		const deep = `${'folder-of-many/'.repeat(40)}${long}`;
		assert.deepEqual(found(`${long}:3 and ${deep}:4`), [`${long} 3`, `${deep} 4`]);
		assert.deepEqual(readFileMention(deep), { text: deep, path: deep });
	});

	it('lose nothing of the text around', () => {
		const text = 'x src/a.ts:1 y\nb.ts:2';
		assert.equal(
			mentionsIn(text)
				.map((each) => (typeof each === 'string' ? each : each.text))
				.join(''),
			text,
		);
	});

	it('are links up to a number, and text after that', () => {
		const text = 'a.ts:1 '.repeat(600);
		const mentions = mentionsIn(text);
		assert.equal(mentions.filter((each) => typeof each === 'object').length, 500);
		assert.equal(mentions.at(-1), ` ${'a.ts:1 '.repeat(100)}`);
	});

	it('are none in long words', () => {
		for (const text of ['a'.repeat(200_000), 'a/'.repeat(100_000), 'a.'.repeat(100_000), '../'.repeat(60_000)]) {
			assert.deepEqual(found(text), []);
		}
	});

	it('are whole spans of code with a line or a folder', () => {
		assert.deepEqual(readFileMention('src/a.ts:12'), { text: 'src/a.ts:12', path: 'src/a.ts', line: 12 });
		assert.deepEqual(readFileMention('src/a.ts'), { text: 'src/a.ts', path: 'src/a.ts' });
		for (const code of ['a.b', 'Array.map', 'src/', 'npm test', 'run a.ts:1', 'and/or', 'https://a.test/b.ts']) {
			assert.equal(readFileMention(code), undefined, code);
		}
	});
});
