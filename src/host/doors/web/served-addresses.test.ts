import assert from 'node:assert/strict';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { findServed, noteServed } from './served-addresses.ts';

describe('What "prowess web" serves now', () => {
	it('is every address, and what each of the servers denies to browsers', async () => {
		const home = tempDir('home');
		assert.deepEqual(await findServed(home), { urls: [], denied: [] });
		const one = await noteServed(home, { urls: ['http://127.0.0.1:1'], denied: ['answer', 'prompt'] });
		assert.deepEqual((await findServed(home)).denied, ['answer', 'prompt']);
		const two = await noteServed(home, { urls: ['http://127.0.0.1:2'], denied: ['prompt'] });
		const { urls, denied } = await findServed(home);
		assert.deepEqual([urls.toSorted(), denied], [['http://127.0.0.1:1', 'http://127.0.0.1:2'], ['prompt']]);
		two.dispose();
		one.dispose();
		assert.deepEqual(await findServed(home), { urls: [], denied: [] });
	});
});
