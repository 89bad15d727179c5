import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import { requireOpResult } from './perform-op.ts';

describe('The result that is required of an op', () => {
	const opId = newId('op');

	it('is the error of the op when that was not done, with its name', () => {
		const error = { code: 'LEDGER_UNWRITABLE', message: 'the disk is full', facts: { path: '/home' } } as const;
		assert.throws(() => requireOpResult({ status: 'failed', opId, error, durationMs: 1 }, 'thread.title'), {
			code: 'LEDGER_UNWRITABLE',
			message: 'thread.title: the disk is full',
			facts: { path: '/home' },
		});
	});

	it('is what the op gave when it was done', () => {
		const receipt = { writer: 'host', seq: 1, hash: '' };
		assert.equal(
			requireOpResult({ status: 'done', opId, result: 'A title', durationMs: 1, receipt }, 'thread.title'),
			'A title',
		);
	});
});
