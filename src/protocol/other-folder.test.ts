import assert from 'node:assert/strict';
import { otherFolder } from './other-folder.ts';

describe('The folder of a thread', () => {
	for (const [workspace, folders, name] of [
		['/work/shop', ['/work/shop'], undefined],
		['/work/shop', ['/work/api', '/work/shop'], undefined],
		[null, ['/work/shop'], undefined],
		['/work/shop', ['/work/api'], 'shop'],
		['/work/shop/', [], 'shop'],
		['C:\\work\\shop', ['C:\\work\\api'], 'shop'],
		['/', ['/work'], '/'],
	] as const) {
		it(`that was begun in ${workspace ?? 'none'} is named ${name ?? 'not at all'} in ${folders.join(' and ') || 'none'}`, () => {
			assert.equal(otherFolder({ workspace }, folders), name);
		});
	}
});
