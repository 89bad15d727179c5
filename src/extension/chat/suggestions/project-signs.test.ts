/** Real folders, as projects leave them. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { findMarkedLine, hasTests } from './project-signs.ts';

const never = new AbortController().signal;

describe('signs of work in a project', () => {
	it('are the first comment that says so; links, large and missing files hide none', async () => {
		const folder = tempDir('signs');
		const outside = join(tempDir('outside'), 'secret.ts');
		writeFileSync(outside, '// TODO: not of this project\n');
		symlinkSync(outside, join(folder, 'link.ts'));
		mkdirSync(join(folder, 'folder.ts'));
		writeFileSync(join(folder, 'large.ts'), `// TODO: far down\n${'x'.repeat(extensionLimits.suggestTaskFileBytes)}`);
		writeFileSync(join(folder, 'plain.ts'), 'const todo = "TODO";\nconst url = `${TODO}`;\n');
		writeFileSync(join(folder, 'marked.py'), 'a = 1\nb = 2  # TODO: mend\n# FIXME: this, too\n');
		const names = ['link.ts', 'folder.ts', 'gone.ts', 'large.ts', 'plain.ts', 'marked.py'];
		const files = names.map((name) => ({ path: join(folder, name), folder }));
		assert.deepEqual(await findMarkedLine(files, never), { path: join(folder, 'marked.py'), line: 2 });
		assert.equal(await findMarkedLine(files.slice(0, -1), never), undefined);
		await assert.rejects(findMarkedLine(files, AbortSignal.abort(new Error('late'))), /late/);
	});

	it('are tests that a manifest knows', async () => {
		for (const [name, text, expected] of [
			['package.json', '{ "scripts": { "pretest": "x", "test": "mocha" } }', true],
			['package.json', '{ "scripts": { "build": "{}" }, "other": { "test": "no" } }', false],
			['package.json', '{ "scripts": ', false],
			['go.mod', '', true],
			['readme.md', '', false],
		] as const) {
			const folder = tempDir('tests');
			writeFileSync(join(folder, name), text);
			assert.equal(await hasTests(folder), expected, text);
		}
	});
});
