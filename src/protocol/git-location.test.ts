import assert from 'node:assert/strict';
import { parseGitLocation } from './git-location.ts';

describe('The location of a repository', () => {
	for (const location of [
		'',
		'skills',
		'./owner/repo',
		'../repo',
		'/home/me/repo',
		'a/b/c',
		'https://example.org/capabilities',
		'https://example.org/owner/repo',
		'https://github.com/owner',
		'ftp://github.com/owner/repo.git',
		'ext::sh -c id',
		'--upload-pack=id/x',
	]) {
		it(`is none: ${location}`, () => assert.equal(parseGitLocation(location), undefined));
	}

	const github = 'https://github.com/owner/repo.git';
	for (const [location, url, ref, folder] of [
		['owner/repo', github, undefined, ''],
		['owner/repo#v2', github, 'v2', ''],
		['owner/repo#v2:skills/more', github, 'v2', 'skills/more'],
		['owner/repo#:skills', github, undefined, 'skills'],
		['github:owner/repo', github, undefined, ''],
		['git@github.com:owner/repo.git', github, undefined, ''],
		['ssh://git@example.org/owner/repo', 'https://example.org/owner/repo.git', undefined, ''],
		['https://github.com/owner/repo', github, undefined, ''],
		['https://github.com/owner/repo/#main', github, 'main', ''],
		['https://github.com/owner/repo/tree/main/skills/pdf', github, 'main', 'skills/pdf'],
		['https://example.org/x.git#a:b', 'https://example.org/x.git', 'a', 'b'],
		['git+file:///srv/skills#v1', 'file:///srv/skills', 'v1', ''],
	] as const) {
		it(`is read of ${location}`, () => assert.deepEqual(parseGitLocation(location), { url, ref, folder }));
	}
});
