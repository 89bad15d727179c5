import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LedgerRow, LedgerVerification } from '../../protocol/ledger.ts';
import { entryText, type LedgerPage, ledgerText } from './ledger-text.ts';

const row: LedgerRow = {
	writer: 'w1',
	seq: 2,
	prev: '',
	id: 1,
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

function page(given: Partial<LedgerPage>, found: Partial<LedgerVerification> = {}): LedgerPage {
	const verification = { ok: true, rows: 2, writers: 1, removed: 0, problems: [], faults: [], ...found };
	const readAt = new Date('2026-11-20T12:30:00Z');
	return { rows: [row], limit: 500, filter: '', check: { kind: 'done', verification }, readAt, ...given };
}

describe('ledgerText', () => {
	it('says that the ledger cannot be read', () => {
		const { text } = ledgerText(page({ rows: [], check: { kind: 'failed', why: 'The disk is full.' } }));
		assert.match(text, /^✗ NOT CHECKED: The disk is full\. Read /m);
	});

	it('names the first row of each chain that does not fit', () => {
		const { text } = ledgerText(page({}, { ok: false, problems: [{ writer: 'w1', seq: 2, problem: 'hash differs' }] }));
		assert.match(text, /✗ NOT INTACT/);
		assert.match(text, /^✗ chain w1, row 2: hash differs$/m);
	});

	it('says that a check is still going on, and that nothing fits the filter', () => {
		const { text } = ledgerText(page({ rows: [], filter: 'op:fs.write', check: { kind: 'running' } }));
		assert.match(text, /^… The chains are being checked\. Read 2026-11-20 12:30:00 UTC\.$/m);
		assert.match(text, /^Filter: op:fs\.write$/m);
		assert.match(text, /^Nothing that fits the filter is recorded\.$/m);
	});

	it('says how to come to older rows when there may be some', () => {
		assert.match(ledgerText(page({ limit: 1 })).text, /e\.g\. until:2026-11-20T12:00:01, or export\.$/m);
		assert.doesNotMatch(ledgerText(page({ limit: 2 })).text, /Older rows/);
	});

	it('keeps control characters and direction marks out of the page', () => {
		const { text } = ledgerText(page({ rows: [{ ...row, input: 'a\u001b[2K\nb\u202Ec' }], filter: 'x\u202Ey' }));
		assert.match(text, /a \[2K b c/);
		assert.match(text, /^Filter: x y$/m);
	});

	it('keeps every row in its line when a check ends late or a filter is set', () => {
		const problems = [{ writer: 'w1', seq: 2, problem: 'hash differs' }];
		const pages = [page({}), page({ check: { kind: 'running' }, filter: 'x' }), page({}, { ok: false, problems })];
		assert.equal(new Set(pages.map((each) => ledgerText(each).firstRow)).size, 1);
	});

	it('is a table with one line for each row, under the result of the check, and knows where the rows begin', () => {
		const { text, firstRow } = ledgerText(page({}));
		const lines = text.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '));
		assert.deepEqual(lines, [
			'Prowess ledger: every decision and every effect, newest first',
			'✓ Verified: 2 rows in 1 chain, none changed or missing. Read 2026-11-20 12:30:00 UTC.',
			'No filter.',
			'Refresh, filter and export with the buttons at the top right. Select the time of a row for its details.',
			'',
			'Time (UTC) | Kind | Op | Risk | Status | Decision | By | Input → output',
			'─'.repeat(143),
			'2026-11-20 12:00:01 | outcome | shell.run | RESTRICTED | done | allowed once by the user | agent:thr_1 | npm test → exit code 0',
			'',
		]);
		assert.match(lines[firstRow] ?? '', /^2026-11-20 12:00:01/);
	});
});

describe('entryText', () => {
	it('tells of a row that is gone', () => {
		assert.equal(entryText([]), 'The ledger has no such row any more.\n');
	});

	it('shows every column of every row whole, without control characters', () => {
		const long = 'why '.repeat(100).trim();
		const text = entryText([
			{ ...row, kind: 'intent', seq: 1, decision: long },
			{ ...row, output: 'a\u001bb' },
		]);
		assert.match(text, /^op_1: shell\.run\n\nwriter {6}w1\nseq {9}1\n/);
		assert.ok(text.includes(`decision    ${long}\n`));
		assert.match(text, /^output {6}a b$/m);
		assert.doesNotMatch(text, /paramsHash/);
	});
});
