import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { findBrowser, listBrowserPlaces } from './find-browser.ts';

describe('The browser of the user', () => {
	it('is the program that the setting names, and no other where that is none', async () => {
		const folder = tempDir('browser');
		const program = join(folder, 'chrome');
		writeFileSync(program, '#!/bin/sh\n');
		for (const wrong of [folder, join(folder, 'none'), 'chrome', program]) {
			await assert.rejects(findBrowser(wrong, {}), { code: 'NOT_AVAILABLE_HERE' });
		}
		chmodSync(program, 0o700);
		assert.equal(await findBrowser(program, {}), program);
	});

	it('is looked for in places of the system only, never along PATH', () => {
		const environment = { PATH: '/app/bin', PROGRAMFILES: String.raw`C:\Program Files` };
		assert.ok(listBrowserPlaces('linux', environment).includes('/usr/bin/chromium'));
		assert.ok(
			listBrowserPlaces('darwin', environment).includes('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'),
		);
		assert.ok(
			listBrowserPlaces('win32', environment).includes(
				String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
			),
		);
		for (const platform of ['linux', 'darwin', 'win32'] as const) {
			assert.deepEqual(
				listBrowserPlaces(platform, environment).filter((place) => place.includes('work')),
				[],
			);
		}
	});
});
