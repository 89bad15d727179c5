import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../test/support/temp-dir.ts';
import { foundAgain, sampleOf } from './sample.ts';

const source = 'export async function f() {\n\tif (a) return b();\n\tawait c();\n\tsignal.throwIfAborted();\n}\n';

describe('A sample of mutants', () => {
	let root: string;
	const write = (name: string, text: string) => writeFileSync(join(root, 'src', name), text);
	beforeEach(() => {
		root = tempDir('sample');
		mkdirSync(join(root, 'src'));
		for (const name of ['a.ts', 'b.ts', 'c.ts', 'a.test.ts']) write(name, source);
	});

	it('has no more than two of a file, and none of a spec', () => {
		const files = sampleOf(root, 7, 100).map(({ file }) => file);
		assert.deepEqual(files.sort(), ['src/a.ts', 'src/a.ts', 'src/b.ts', 'src/b.ts', 'src/c.ts', 'src/c.ts']);
	});

	it('is the same for the same seed', () => {
		assert.deepEqual(sampleOf(root, 7, 5), sampleOf(root, 7, 5));
		assert.notDeepEqual(sampleOf(root, 7, 5), sampleOf(root, 8, 5));
	});

	it('has as many of each kind', () => {
		assert.deepEqual(
			sampleOf(root, 7, 4).map(({ kind }) => kind),
			['condition', 'return', 'await', 'abort'],
		);
	});

	it('is found again where its places have moved to, and is smaller where one has changed', () => {
		const before = sampleOf(root, 7, 6);
		write('a.ts', `const more = () => a === b;\n${source}`);
		write('b.ts', '');
		const after = foundAgain(root, before);
		assert.deepEqual(
			after.map(({ number }) => number),
			before.filter(({ file }) => file !== 'src/b.ts').map(({ number }) => number),
		);
		for (const { file, number, line } of after) {
			assert.equal(line, (before[number - 1]?.line ?? 0) + (file === 'src/a.ts' ? 1 : 0));
		}
	});
});
