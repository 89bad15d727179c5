import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { homePlace, ripgrepCandidates } from './places.ts';

const search = { setting: '', appRoot: '/code', path: '/usr/bin:/bin:/usr/bin:.', platform: 'linux', arch: 'x64' };

describe('places', () => {
	it('keeps our state below the home folder unless PROWESS_HOME names an absolute one', () => {
		assert.equal(homePlace({}), join(homedir(), '.prowess'));
		assert.equal(homePlace({ PROWESS_HOME: '/state' }), '/state');
		assert.equal(homePlace({ PROWESS_HOME: '.state' }), join(homedir(), '.prowess'));
	});

	it("looks for ripgrep in the setting, then in the editor, then on the PATH's absolute folders", () => {
		assert.deepEqual(ripgrepCandidates({ ...search, setting: '/opt/rg' }), [
			'/opt/rg',
			'/code/node_modules/@vscode/ripgrep-universal/bin/linux-x64/rg',
			'/code/node_modules/@vscode/ripgrep/bin/rg',
			'/code/node_modules.asar.unpacked/@vscode/ripgrep-universal/bin/linux-x64/rg',
			'/code/node_modules.asar.unpacked/@vscode/ripgrep/bin/rg',
			'/usr/bin/rg',
			'/bin/rg',
		]);
	});

	const systems: readonly (readonly [
		platform: string,
		path: string,
		setting: string,
		candidates: readonly string[],
	])[] = [
		[
			'win32',
			String.raw`C:\Tools;bin;D:\rg`,
			String.raw`E:\rg.exe`,
			[
				String.raw`E:\rg.exe`,
				String.raw`C:\Code\node_modules\@vscode\ripgrep-universal\bin\win32-x64\rg.exe`,
				String.raw`C:\Tools\rg.exe`,
				String.raw`D:\rg\rg.exe`,
			],
		],
		[
			'darwin',
			'/opt/homebrew/bin:bin',
			'rg',
			['C:\\Code/node_modules/@vscode/ripgrep-universal/bin/darwin-x64/rg', '/opt/homebrew/bin/rg'],
		],
	];
	for (const [platform, path, setting, candidates] of systems) {
		it(`names files of ripgrep as ${platform} does, and none by a relative path`, () => {
			const found = ripgrepCandidates({ ...search, appRoot: String.raw`C:\Code`, platform, path, setting });
			assert.deepEqual(
				found.filter((each) => candidates.includes(each) || !/node_modules/.test(each)),
				candidates,
			);
		});
	}
});
