/** Globs of other programs, beside what their documents say that they mean. */
import assert from 'node:assert/strict';
import { foreignGlobCovers } from './foreign-glob.ts';

describe('A glob in a file of another program', () => {
	for (const [pattern, path, isCovered] of [
		['src/**/*.ts', 'src/a.ts', true],
		['src/**/*.ts', 'src/a/b/.c/d.ts', true],
		['src/**/*.ts', 'srcs/a.ts', false],
		['src/*.ts', 'src/a/b.ts', false],
		['**', 'a/b', true],
		['**/.env', '.env', true],
		['a/**', 'a', true],
		['**/*.{ts,{js,mjs}x}', 'a/b.mjsx', true],
		['**/*.{ts,{js,mjs}x}', 'a/b.js', false],
		['a?[b-d].[!t]s', 'axc.js', true],
		['a?[b-d].[!t]s', 'axc.ts', false],
		['{a,b', '{a,b', true],
		['*.min.*.js', 'x.min.min.1.js', true],
		['\\*.ts', '*.ts', true],
		['\\*.ts', 'a.ts', false],
		['', 'a', false],
		['[]a]b', ']b', true],
		['[^]a]b', ']b', false],
		['a[b', 'a[b', true],
		['[a-]b', '-b', true],
		['[c-a]', 'b', false],
	] as const) {
		it(`${isCovered ? 'covers' : 'does not cover'} ${path} as ${pattern}`, () => {
			assert.equal(foreignGlobCovers(pattern, path, !isCovered), isCovered);
		});
	}

	for (const pattern of [
		`${'*a'.repeat(400)}b`,
		`${'**/'.repeat(300)}b`,
		`${'*?'.repeat(400)}b`,
		`${'**/*a*/'.repeat(140)}b`,
		'{1,2}'.repeat(150),
		`**/${'['.repeat(990)}`,
		`**/${'[a'.repeat(490)}`,
		`**/[${'a-z'.repeat(300)}]*b`,
		`**/{${'[,'.repeat(90)}[}${'['.repeat(700)}`,
		`**/{${'1,'.repeat(90)}}*${'a'.repeat(700)}b`,
		`${'{'.repeat(400)},${'}'.repeat(400)}`,
		'+(a|aa)'.repeat(100),
		'('.repeat(900),
		'x'.repeat(1_001),
	]) {
		it(`comes to its end with ${pattern.slice(0, 20)}… on long paths`, () => {
			for (const path of ['a'.repeat(4_096), 'a/'.repeat(2_048), 'a'.repeat(5_000)]) {
				const [covered, otherwise] = [foreignGlobCovers(pattern, path, false), foreignGlobCovers(pattern, path, true)];
				assert.ok(!covered || otherwise);
			}
		});
	}

	it('counts as the caller says where it is in a form that is not read', () => {
		for (const pattern of ['!(a).ts', '@(a|b)', '!src/**']) {
			assert.deepEqual([foreignGlobCovers(pattern, 'b', true), foreignGlobCovers(pattern, 'b', false)], [true, false]);
		}
	});
});
