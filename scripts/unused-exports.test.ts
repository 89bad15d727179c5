import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '../test/support/temp-dir.ts';
import { unusedExports } from './unused-exports.ts';

function found(files: Readonly<Record<string, string>>): string[] {
	const root = tempDir('exports');
	for (const [file, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, file)), { recursive: true });
		writeFileSync(join(root, file), text);
	}
	return unusedExports(root).map(({ file, line, name }) => `${file}:${line} ${name}`);
}

describe('An unused export', () => {
	it('is what no other file imports, of whatever kind it is', () => {
		const text = [
			'export const one = 1;',
			'export async function two() {}',
			'export interface Three {}',
			'export type Four = string;',
			'export abstract class Five {}',
			'const six = 6;',
			'export { six as seven };',
		].join('\n');
		assert.deepEqual(found({ 'src/base/a.ts': text }), [
			...['src/base/a.ts:1 one', 'src/base/a.ts:2 two', 'src/base/a.ts:3 Three', 'src/base/a.ts:4 Four'],
			...['src/base/a.ts:5 Five', 'src/base/a.ts:7 seven'],
		]);
	});

	it('is one that only a comment, or a file of the same name elsewhere, seems to import', () => {
		const files = {
			'src/base/a.ts': 'export const one = 1;',
			'src/store/a.ts': 'export const one = 2;',
			'src/store/b.ts': "import { one } from './a.ts';\nvoid one;",
		};
		assert.deepEqual(found(files), ['src/base/a.ts:1 one']);
	});

	it('is none that is imported: by name, as a type, under another name, over lines, as a whole, or later', () => {
		const files = {
			'src/base/a.ts': ['one', 'two', 'three', 'four'].map((name) => `export const ${name} = 1;`).join('\n'),
			'src/base/b.ts': 'export interface B {}',
			'src/base/c.ts': 'export const c = 1;',
			'src/base/d.ts': 'export const d = 1;',
			'src/base/use.ts': [
				"import { one, two as second } from './a.ts';",
				"import {\n\tthree,\n\ttype four,\n} from './a.ts';",
				"import type { B } from './b.ts';",
				"import * as c from './c.ts';",
				"void [one, second, three, c, import('./d.ts')];",
			].join('\n'),
		};
		assert.deepEqual(found(files), []);
	});

	it('is none that is asked for by VS Code or mocha, or that a spec imports', () => {
		const files = {
			'src/extension/main.ts': 'export function activate() {}',
			'test/support/hooks.ts': 'export const mochaHooks = {};',
			'src/base/a.ts': 'export const one = 1;',
			'src/base/a.test.ts': "import { one } from './a.ts';\nvoid one;",
		};
		assert.deepEqual(found(files), []);
	});

	it('is none in a program that stands in a text', () => {
		assert.deepEqual(found({ 'test/a.ts': 'const program = `\nexport const one = 1;\n`;\nvoid program;' }), []);
	});
});
