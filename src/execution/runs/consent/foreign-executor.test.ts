import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { writeFiles } from '../../../../test/support/workspace-on-disk.ts';
import { readExecutorFiles } from './foreign-executor.ts';

describe('The files of an executor that is not ours', () => {
	let folder: string;
	beforeEach(async () => {
		folder = tempDir('executor');
		await writeFiles(folder, { 'executor.yaml': 'name: mine', 'run.js': '' });
	});
	const read = (program = 'run.js') => readExecutorFiles({ folder, program: join(folder, program), readable: [] });

	it('are refused as its own fault when they cannot be copied as they are, or are gone', async () => {
		symlinkSync('/etc/passwd', join(folder, 'passwd'));
		await assert.rejects(read(), {
			code: 'INVALID_EXECUTOR_CONFIG',
			message: /passwd: it is neither a file nor a folder; a capability may hold no links/,
		});
		folder = join(folder, 'gone');
		await assert.rejects(read(), { code: 'INVALID_EXECUTOR_CONFIG', facts: { path: folder } });
	});

	it('are refused when its program is not among them', async () => {
		await assert.rejects(read('dist/run.js'), { code: 'ACTION_BLOCK_NOT_FOUND', message: /its program dist\/run\.js/ });
	});

	it('are all that lies in its folder', async () => {
		assert.deepEqual((await read())?.files.map(({ path }) => path).sort(), ['executor.yaml', 'run.js']);
	});
});
