import assert from 'node:assert/strict';
import { join } from 'node:path';
import { capabilityFiles, never, writeFiles } from '../../../test/support/marketplace-scene.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { buildIndex } from './build-index.ts';

describe('The index of a folder', () => {
	it('is not made any further once its making is stopped', async () => {
		const folder = tempDir('index');
		writeFiles(join(folder, 'skill/greet'), capabilityFiles());
		const names = async (signal: AbortSignal) =>
			(await buildIndex(folder, { name: 'mine' }, signal)).capabilities.map(({ name }) => name);
		assert.deepEqual(await names(never), ['greet']);
		await assert.rejects(names(AbortSignal.abort(new Error('stopped by the user'))), /stopped by the user/);
	});
});
