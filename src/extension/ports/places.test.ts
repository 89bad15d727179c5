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
});
