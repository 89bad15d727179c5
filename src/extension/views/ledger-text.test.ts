import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LedgerRow } from '../../protocol/ledger.ts';
import { ledgerText } from './ledger-text.ts';

const row: LedgerRow = {
	writer: 'w1',
	seq: 2,
	prev: '',
	hash: '',
	at: '2026-11-20T12:00:01.000Z',
	kind: 'outcome',
	opId: 'op_1',
	op: 'shell.run',
	trigger: 'agent:thr_1',
	threadId: 'thr_1',
	risk: 'RESTRICTED',
	decision: 'allowed once by the user',
	paramsHash: null,
	input: 'npm test',
	output: 'exit code 0',
	status: 'done',
	durationMs: 12,
};
const intact = { ok: true, rows: 2, writers: 1, removed: 0, problems: [] };
const readAt = new Date('2026-11-20T12:30:00Z');

describe('ledgerText', () => {
	it('is a table with one line for each row, under the result of the check', () => {
		assert.deepEqual(
			ledgerText({ rows: [row], verification: intact, readAt })
				.split('\n')
				.map((line) => line.replaceAll(/ {2,}/g, ' | ')),
			[
				'Prowess ledger: every decision and every effect, newest first',
				'✓ Verified: 2 rows in 1 chain, none changed or missing. Read 2026-11-20 12:30:00 UTC; refresh with the button above.',
				'',
				'Time (UTC) | Kind | Op | Risk | Status | Decision | By | Input → output',
				'─'.repeat(143),
				'2026-11-20 12:00:01 | outcome | shell.run | RESTRICTED | done | allowed once by the user | agent:thr_1 | npm test → exit code 0',
				'',
			],
		);
	});

	it('names the first row of each chain that does not fit', () => {
		const broken = {
			ok: false,
			rows: 2,
			writers: 1,
			removed: 0,
			problems: [{ writer: 'w1', seq: 2, problem: 'hash differs' }],
		};
		const text = ledgerText({ rows: [row], verification: broken, readAt });
		assert.match(text, /✗ NOT INTACT/);
		assert.match(text, /✗ chain w1, row 2: hash differs/);
	});

	it('keeps control characters and direction marks out of the page', () => {
		const text = ledgerText({ rows: [{ ...row, input: 'a\u001b[2K\nb\u202Ec' }], verification: intact, readAt });
		assert.match(text, /a \[2K b c/);
	});
});
