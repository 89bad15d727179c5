import assert from 'node:assert/strict';
import { executionEnvironment } from './environment.ts';

describe('The environment of an executor', () => {
	const host = {
		PATH: '/home/me/bin:/usr/bin',
		SYSTEMROOT: String.raw`C:\Windows`,
		USERPROFILE: String.raw`C:\Users\me`,
		GITHUB_TOKEN: 'canary',
		LANG: 'de_DE.UTF-8',
	};
	const rows: readonly (readonly [
		platform: NodeJS.Platform,
		path: string | undefined,
		systemRoot: string | undefined,
	])[] = [
		['linux', '/usr/local/bin:/usr/bin:/bin', undefined],
		['darwin', '/usr/local/bin:/usr/bin:/bin', undefined],
		['win32', undefined, host.SYSTEMROOT],
	];
	for (const [platform, path, systemRoot] of rows) {
		it(`has nothing of the user's but where it is in the world, on ${platform}`, () => {
			const environment = executionEnvironment(host, '/scratch', undefined, platform);
			const { PATH, SYSTEMROOT, LANG, HOME, TEMP, ...others } = environment;
			assert.deepEqual([PATH, SYSTEMROOT, LANG, HOME, TEMP], [path, systemRoot, host.LANG, '/scratch', '/scratch']);
			assert.deepEqual(Object.keys(others).toSorted(), ['ELECTRON_RUN_AS_NODE', 'IS_SIDE_EXECUTION', 'TMP', 'TMPDIR']);
		});
	}
});
