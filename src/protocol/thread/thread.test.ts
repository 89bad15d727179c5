import assert from 'node:assert/strict';
import { otherFolder } from './thread.ts';

describe('The folder of a thread', () => {
	for (const [workspace, folders, name] of [
		['/srv/shop', ['/srv/shop'], undefined],
		['/srv/shop', ['/srv/api', '/srv/shop'], undefined],
		[null, ['/srv/shop'], undefined],
		['/srv/shop', ['/srv/api'], 'shop'],
		['/srv/shop/', [], 'shop'],
		['C:\\srv\\shop', ['C:\\srv\\api'], 'shop'],
		['/', ['/srv'], '/'],
	] as const) {
		it(`that was begun in ${workspace ?? 'none'} is named ${name ?? 'not at all'} in ${folders.join(' and ') || 'none'}`, () => {
			assert.equal(otherFolder({ workspace }, folders), name);
		});
	}
});
