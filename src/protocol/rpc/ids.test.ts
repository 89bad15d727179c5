import assert from 'node:assert/strict';
import { ID_PREFIXES, newId, OpId, ThreadId } from './ids.ts';

describe('Ids', () => {
	const notIds = [
		'',
		'thr_',
		'thr',
		'op_1',
		'xthr_1',
		'thr_1\n',
		'thr_../../etc',
		`thr_${'a'.repeat(64)}`,
		42,
		null,
		['thr_1'],
	];
	for (const value of notIds) {
		it(`does not take ${JSON.stringify(value).slice(0, 30)} for a thread`, () => {
			assert.equal(ThreadId.safeParse(value).success, false);
		});
	}

	it('reports the expected form of an id', () => {
		assert.equal(OpId.safeParse('thr_1').error?.issues[0]?.message, 'expected an id like "op_…"');
	});

	for (const prefix of ID_PREFIXES) {
		it(`names a ${prefix} with its kind and its time`, () => {
			const ids = Array.from({ length: 200 }, () => newId(prefix));
			assert.match(ids[0] ?? '', new RegExp(`^${prefix}_[0-9a-f]{8}-[0-9a-f]{4}-7`));
			assert.equal(new Set(ids).size, ids.length);
			assert.deepEqual([...ids].sort(), ids);
		});
	}
});
