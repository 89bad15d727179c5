import assert from 'node:assert/strict';
import { StepFailed } from './step-failed.mjs';
import { ensureDesktopVscode } from './desktop-vscode.ts';

const download = () => Promise.resolve('/downloaded/code');
const offline = () => Promise.reject(new Error('getaddrinfo ENOTFOUND update.code.visualstudio.com'));
const env = { DISPLAY: ':0' };

describe('A desktop VS Code', () => {
	it('that cannot be downloaded is asked for, with the reason', async () => {
		await assert.rejects(ensureDesktopVscode({ env, platform: 'linux', download: offline }), (error) => {
			assert.ok(error instanceof StepFailed);
			assert.match(error.message, /^no desktop VS Code could be downloaded: getaddrinfo ENOTFOUND /);
			assert.match(error.advice, /name its program .* in PROWESS_VSCODE/);
			return true;
		});
	});

	it('is not downloaded where one is named', async () => {
		const named = { ...env, PROWESS_VSCODE: '/opt/code' };
		const found = await ensureDesktopVscode({ env: named, platform: 'linux', download: offline });
		assert.deepEqual(found, { program: '/opt/code', display: [] });
	});

	it('needs no display of its own but on Linux', async () => {
		for (const platform of ['win32', 'darwin'] as const) {
			assert.deepEqual((await ensureDesktopVscode({ env: {}, platform, download })).display, []);
		}
	});
});
