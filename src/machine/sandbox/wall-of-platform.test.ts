import assert from 'node:assert/strict';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { wallOfPlatform } from './wall-of-platform.ts';

describe('The wall around commands', () => {
	const wallOn = (platform: NodeJS.Platform) =>
		wallOfPlatform({
			platform,
			home: tempDir('home'),
			folders: () => [],
			openedBy: [],
			bubblewrapCandidates: () => [],
			networkListener: new URL('file:///none'),
			findPutIntoGit: async () => [],
			onUnusableNetwork: () => {},
		});
	for (const [platform, wall] of [
		['linux', 'CommandSandbox'],
		['darwin', 'SeatbeltWall'],
		// Without a program for it, which it says.
		['win32', 'CommandSandbox'],
		['freebsd', 'CommandSandbox'],
	] as const) {
		it(`is a ${wall} on ${platform}`, () => {
			assert.equal(wallOn(platform).constructor.name, wall);
		});
	}
});
