import assert from 'node:assert/strict';
import { findCircles, joinByFolder, readImports } from './graph.ts';
import { functionNames, topLevelNames } from './names.ts';
import { findRepeats } from './repeats.ts';
import { findTwins } from './twins.ts';

const sources = new Map([
	['src/a/one/x.ts', "import type { Y } from '../two/y.ts';\nexport const x = () => import('./z.ts');\n"],
	['src/a/one/z.ts', "export { x } from './x.ts';\n"],
	['src/a/two/y.ts', "import '../one/z.ts';\n"],
	['src/a/two/alone.ts', "import { readFile } from 'node:fs';\n"],
	['src/a/compose.ts', "import { x } from './one/x.ts';\nimport { gone } from './gone.ts';\n"],
]);

describe('The figures of the house', () => {
	it('find circles of files, through types and import() too', () => {
		assert.deepEqual(findCircles(readImports(sources)), [['src/a/one/x.ts', 'src/a/one/z.ts', 'src/a/two/y.ts']]);
	});

	it('find circles of folders, and leave out the files that put them together', () => {
		assert.deepEqual(findCircles(joinByFolder(readImports(sources))), [['src/a/one', 'src/a/two']]);
	});

	it('read the names of functions, and of what stands at the top of a file', () => {
		const source = [
			'export async function readAll(): Promise<void> {',
			'\tconst partOf = (text: string): string => text;',
			'\tconst kept = (await other) ?? 1;',
			'}',
			'const shown = ({ a }: A, b = one(2)) => a;',
			'export interface Shown {}',
		].join('\n');
		assert.deepEqual(functionNames(source), ['readAll', 'partOf', 'shown']);
		assert.deepEqual(topLevelNames(source), ['readAll', 'shown', 'Shown']);
	});

	it('find the longest run of lines that stands in two places, once', () => {
		const run = Array.from({ length: 7 }, (_, at) => `callSomething(argument${at}, another);`);
		const repeats = findRepeats(
			new Map([
				['a.ts', ['first();', ...run].join('\n')],
				['b.ts', [...run, 'last();'].join('\n\n')],
			]),
		);
		assert.deepEqual(repeats, [{ lines: 7, places: ['a.ts:2', 'b.ts:1'] }]);
	});

	it('find functions that differ by their names only', () => {
		const written = (name: string, param: string) =>
			`export function ${name}(${param}: string): string[] {\n\treturn ${param}.split('/').filter((part) => part !== '');\n}\n`;
		const twins = findTwins(
			new Map([
				['a.ts', written('splitPath', 'path')],
				['b.ts', written('readParts', 'text')],
				['c.ts', written('splitLine', 'line').replace('/', ',')],
			]),
		);
		assert.deepEqual(twins, [
			[
				{ file: 'a.ts', name: 'splitPath' },
				{ file: 'b.ts', name: 'readParts' },
			],
		]);
	});
});
