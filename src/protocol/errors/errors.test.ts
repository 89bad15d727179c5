import assert from 'node:assert/strict';
import { ERROR_CODES, isErrorCode, isProwessError, ProwessError } from './errors.ts';

describe('ProwessError', () => {
	const notOurs = [undefined, null, 42, 'TIMEOUT', {}, { code: 'NOT_OURS' }, { code: 7 }, { code: 'toString' }, []];
	for (const data of notOurs) {
		it(`is not restored from ${JSON.stringify(data) ?? 'undefined'}`, () => {
			assert.equal(ProwessError.fromData('x', data), undefined);
		});
	}

	for (const facts of [undefined, null, 'text', 7]) {
		it(`is restored without facts from facts that are ${JSON.stringify(facts) ?? 'absent'}`, () => {
			assert.deepEqual(ProwessError.fromData('x', { code: 'TIMEOUT', facts })?.facts, {});
		});
	}

	it('survives a wire with its code, message and facts', () => {
		const error = new ProwessError('NOT_FOUND', 'no such file: a.ts', { path: 'a.ts' }, new Error('ENOENT'));
		const copy = JSON.parse(JSON.stringify({ code: error.code, facts: error.facts })) as unknown;
		const restored = ProwessError.fromData(error.message, copy);
		assert.ok(isProwessError(restored));
		assert.deepEqual([restored.code, restored.message, restored.facts], [error.code, error.message, error.facts]);
	});

	it('has a cause only if one is given', () => {
		assert.equal('cause' in new ProwessError('INTERNAL', 'x'), false);
		assert.equal(new ProwessError('INTERNAL', 'x', {}, 'why').cause, 'why');
	});

	it('lists each code once and accepts no other string', () => {
		assert.equal(new Set(ERROR_CODES).size, ERROR_CODES.length);
		assert.ok(ERROR_CODES.every(isErrorCode));
		assert.equal(isErrorCode('constructor'), false);
	});
});
