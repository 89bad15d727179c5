/** Receipts know every op of the table: a new op that changes or runs something needs its line. */
import assert from 'node:assert/strict';
import { OP_NAMES, ops } from '../../src/protocol/op-table/ops.ts';
import type { OpDef } from '../../src/protocol/ops/define-op.ts';
import { receiptsOfOp } from '../../src/protocol/receipts/op-receipts.ts';

describe('Receipts of the table of ops', () => {
	it('are made of every op that changes or runs something', () => {
		const none = OP_NAMES.filter((op) => {
			const { effect }: OpDef = ops[op];
			const has = receiptsOfOp({ op, params: {}, outcome: { status: 'done', result: {} } }).length > 0;
			return (effect === 'write' || effect === 'execute') && !has;
		});
		// State of the program alone.
		assert.deepEqual(none, ['mcp.sample', 'cookie.clear', 'cookie.resolve', 'http.sessionOpen', 'http.sessionClose']);
	});
});
