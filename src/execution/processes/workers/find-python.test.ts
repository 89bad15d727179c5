import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { findPython } from './find-python.ts';

describe('The Python of workers', () => {
	let folder: string;
	beforeEach(() => {
		folder = tempDir('bin');
	});
	/** Stands for a Python of that version, which says so when it is asked. */
	function python(version: string, prefix = '/usr'): void {
		const file = join(folder, 'python3');
		writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' /usr/bin/python3 ${version} ${prefix}\n`);
		chmodSync(file, 0o755);
	}
	const find = (folders: readonly string[] = []) => findPython({ PATH: folder }, folders);

	it('is none that a workspace holds', async () => {
		python('3.12.1');
		await assert.rejects(find([folder]), { code: 'NOT_AVAILABLE_HERE', message: /lies in the workspace/ });
	});

	for (const version of ['3.8.20', '2.7.18', '4.0.0']) {
		it(`is not ${version}`, async () => {
			python(version);
			const message = new RegExp(`is Python ${version}, and 3\\.9 is needed`);
			await assert.rejects(find(), { code: 'NOT_AVAILABLE_HERE', message });
		});
	}

	it('may be the oldest that is known to do, wherever it lies', async () => {
		python('3.9.0', '/opt/python');
		assert.deepEqual(await find(), { file: '/usr/bin/python3', version: '3.9.0', readable: ['/opt/python/*'] });
		python('3.9.0');
		assert.deepEqual((await find()).readable, []);
	});
});
