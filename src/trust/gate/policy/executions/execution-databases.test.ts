import assert from 'node:assert/strict';
import { executionDatabases } from './execution-databases.ts';

describe('the databases of an execution', () => {
	for (const [what, manifest, parent, expected] of [
		['are any when nobody names some', undefined, undefined, undefined],
		['are those of its manifest', { a: 'x.db' }, undefined, { a: 'x.db' }],
		['are those of its parent when it names none', undefined, { a: 'x.db' }, { a: 'x.db' }],
		['are none that its parent may not use', { a: 'x.db', b: 'y.db' }, { c: 'y.db' }, { b: 'y.db' }],
		['are none at all when its parent may use other ones', { a: 'x.db' }, { a: 'y.db' }, {}],
	] as const) {
		it(what, () => assert.deepEqual(executionDatabases(manifest, parent), expected));
	}
});
