import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemText } from '../../../protocol/manifest/problem.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { inspectFolder } from './inspect-folder.ts';

const shipped = join(import.meta.dirname, '../../../../capabilities');

describe('Looking into a folder', () => {
	const folders = readdirSync(shipped, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.flatMap(({ name: type }) => readdirSync(join(shipped, type)).map((name) => join(type, name)));
	for (const folder of folders) {
		it(`finds nothing to say of ${folder}, which ships`, async () => {
			const { problems, manifest, hash } = await inspectFolder(join(shipped, folder));
			assert.deepEqual(problems.map(problemText), []);
			assert.ok(manifest !== undefined && hash !== undefined);
		});
	}

	it('says what could not be copied to be run', async () => {
		const folder = tempDir('capability');
		writeFileSync(join(folder, 'capability.yaml'), 'name: a\ntype: skill\nversion: 1.0.0\ndescription: d\n');
		writeFileSync(join(folder, 'index.js'), '');
		symlinkSync('index.js', join(folder, 'link.js'));
		const { problems, hash } = await inspectFolder(folder);
		assert.match(problems.map(problemText).join('\n'), /link\.js: .*may hold no links/);
		assert.equal(hash, undefined);
	});

	it('takes a command that is one file for what it is', async () => {
		const file = join(tempDir('commands'), 'commit.md');
		writeFileSync(file, 'Commit it.\n');
		const { manifest, problems, files, hash } = await inspectFolder(file, true);
		assert.deepEqual([manifest?.name, files, problems], ['commit', ['commit.md'], []]);
		assert.ok(hash !== undefined);
		writeFileSync(file, 'Commit\u{e0041} it.\n');
		assert.match((await inspectFolder(file)).problems.map(problemText).join(), /hidden|invisible|not see/i);
	});

	it('says that a skill has nothing to run', async () => {
		const folder = tempDir('capability');
		writeFileSync(join(folder, 'capability.yaml'), 'name: a\ntype: skill\nversion: 1.0.0\ndescription: d\n');
		writeFileSync(join(folder, 'main.js'), '');
		const { problems } = await inspectFolder(folder);
		assert.deepEqual(problems.map(({ severity, message }) => `${severity}: ${message}`).slice(0, 1), [
			'error: there is nothing to run: none of index.js, index.mjs, index.ts, SKILL.md is in the folder',
		]);
	});

	it('says that an executor is not built, which is no error', async () => {
		const folder = tempDir('executor');
		mkdirSync(join(folder, 'src'));
		writeFileSync(join(folder, 'executor.yaml'), 'name: a\nsupportedTypes: [x]\nentryPoint: dist/a.mjs\n');
		const { kind, problems } = await inspectFolder(folder);
		assert.deepEqual(
			[kind, problems.map(({ severity, message }) => `${severity}: ${message}`)],
			['executor', ['warning: its program dist/a.mjs is not there']],
		);
	});

	it('finds none where there is nothing', async () => {
		await assert.rejects(inspectFolder(join(tempDir('none'), 'x')), { code: 'NOT_FOUND' });
	});
});
