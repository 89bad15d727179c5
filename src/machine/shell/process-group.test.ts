import assert from 'node:assert/strict';
import { findTreeKiller } from './process-group.ts';

describe('What ends a command and all it started', () => {
	const rows: readonly (readonly [
		platform: NodeJS.Platform,
		systemRoot: string | undefined,
		killer: string | undefined,
	])[] = [
		['linux', undefined, undefined],
		['darwin', String.raw`C:\Windows`, undefined],
		['win32', String.raw`D:\WINNT`, String.raw`D:\WINNT\System32\taskkill.exe /pid 7 /T /F`],
		['win32', undefined, String.raw`C:\Windows\System32\taskkill.exe /pid 7 /T /F`],
	];
	for (const [platform, systemRoot, killer] of rows) {
		it(`is ${killer ?? 'a signal to its group'} on ${platform}`, () => {
			assert.equal(findTreeKiller(7, platform, { SYSTEMROOT: systemRoot })?.join(' '), killer);
		});
	}
});
