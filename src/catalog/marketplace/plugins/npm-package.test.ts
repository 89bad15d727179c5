import assert from 'node:assert/strict';
import { join } from 'node:path';
import { writeFiles } from '../../../../test/support/marketplace-scene.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { resolveNpmStart } from './npm-package.ts';

describe('npm as it is started', () => {
	const node = () => Promise.resolve('/elsewhere/node');
	const script = 'node_modules/npm/bin/npm-cli.js';

	it('is refused where its .cmd starts a script that is missing', async () => {
		const folder = tempDir('npm');
		await assert.rejects(resolveNpmStart(join(folder, 'npm.cmd'), node), {
			message: /npm-cli\.js, which is not there; install/,
		});
	});

	it('is its script in the Node beside it, where a .cmd is what was found', async () => {
		const folder = tempDir('npm');
		writeFiles(folder, { [script]: '', 'node.exe': '' });
		const started = await resolveNpmStart(join(folder, 'npm.CMD'), node);
		assert.deepEqual(started, { program: join(folder, 'node.exe'), args: [join(folder, script)] });
	});

	it('is its script in the Node of the PATH, where npm was updated by itself', async () => {
		const folder = tempDir('npm');
		writeFiles(folder, { [script]: '' });
		const started = await resolveNpmStart(join(folder, 'npm.cmd'), node);
		assert.deepEqual(started, { program: '/elsewhere/node', args: [join(folder, script)] });
	});

	it('is what was found on other systems', async () => {
		assert.deepEqual(await resolveNpmStart('/usr/bin/npm', node), { program: '/usr/bin/npm', args: [] });
	});
});
