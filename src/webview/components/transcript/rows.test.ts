import assert from 'node:assert/strict';
import { newId } from '../../../protocol/rpc/ids.ts';
import type { ThreadItem, ToolItem } from '../../../protocol/thread/items.ts';
import { toTranscriptRows } from './rows.ts';

const turnId = newId('trn');

function call(tool: string, more: Partial<ToolItem> = {}): ToolItem {
	return {
		kind: 'tool',
		id: newId('itm'),
		turnId,
		at: '2026-11-23T10:00:00.000Z',
		opId: newId('op'),
		tool,
		title: tool,
		input: {},
		status: 'done',
		output: '',
		outputTruncated: false,
		...more,
	};
}

/** Each row as the tools in it. */
function shape(items: readonly ThreadItem[]): string[] {
	return toTranscriptRows(items).map((row) =>
		row.kind !== 'item'
			? row.items.map(({ tool }) => tool).join(' ')
			: `(${row.item.kind === 'tool' ? row.item.tool : row.item.kind})`,
	);
}

describe('The rows of a transcript', () => {
	it('keep alone what failed, runs, waits or was let through by a rule', () => {
		const calls = [
			call('fs_read'),
			call('fs_read', { status: 'failed' }),
			call('fs_read', { status: 'running' }),
			call('fs_read', { status: 'waiting' }),
			call('fs_read', { allowedBy: { kind: 'reading' } as never }),
			call('fs_read'),
		];
		assert.deepEqual(
			shape(calls),
			calls.map(() => '(fs_read)'),
		);
	});

	it('keep two reads as they are, and join three and more', () => {
		assert.deepEqual(shape([call('fs_read'), call('fs_list')]), ['(fs_read)', '(fs_list)']);
		assert.deepEqual(shape([call('fs_read'), call('search_text'), call('fs_read')]), ['fs_read search_text fs_read']);
	});

	it('end a group at whatever changes something, and at another turn', () => {
		const reads = () => [call('fs_read'), call('fs_read'), call('fs_read')];
		const ofNext = reads().map((item) => ({ ...item, turnId: newId('trn') }));
		assert.deepEqual(shape([...reads(), call('fs_edit'), ...reads()]), [
			'fs_read fs_read fs_read',
			'(fs_edit)',
			'fs_read fs_read fs_read',
		]);
		assert.deepEqual(shape([...reads(), ...ofNext]).length, 4);
	});

	it('never join requests to other machines, or what a capability does', () => {
		const calls = [call('http_get'), call('http_get'), call('http_get'), call('capability_list')];
		assert.deepEqual(shape(calls), ['(http_get)', '(http_get)', '(http_get)', '(capability_list)']);
	});

	it('join calls that were not run because they repeated earlier ones, apart from other failures and from reads', () => {
		const repeat = () =>
			call('fs_read', { status: 'failed', error: { code: 'CALL_REPEATED', message: 'again', facts: {} } });
		const failed = call('fs_read', { status: 'failed', error: { code: 'NOT_FOUND', message: 'no', facts: {} } });
		assert.deepEqual(shape([repeat(), failed, repeat()]), ['(fs_read)', '(fs_read)', '(fs_read)']);
		assert.deepEqual(shape([call('fs_read'), call('fs_read'), repeat(), repeat(), failed]), [
			'(fs_read)',
			'(fs_read)',
			'fs_read fs_read',
			'(fs_read)',
		]);
		assert.deepEqual(shape([repeat(), { ...repeat(), turnId: newId('trn') }]), ['(fs_read)', '(fs_read)']);
	});

	it('leave out a plan that was stored, and show one that failed', () => {
		assert.deepEqual(shape([call('todo_write'), call('todo_write', { status: 'failed' })]), ['(todo_write)']);
	});

	it('leave out a tool that was looked up, and show a lookup that runs or failed', () => {
		const lookups = (['done', 'failed', 'running'] as const).map((status) => call('tool_search', { status }));
		assert.deepEqual(shape([...lookups, call('agent_spawn')]), ['(tool_search)', '(tool_search)', '(agent_spawn)']);
		assert.deepEqual(shape([call('fs_read'), call('tool_search'), call('fs_read'), call('fs_read')]), [
			'fs_read fs_read fs_read',
		]);
	});

	it('leave out a wait for the next request once the turn has gone on', () => {
		const wait: ThreadItem = {
			kind: 'notice',
			id: newId('itm'),
			turnId,
			at: '2026-11-23T10:00:00.000Z',
			level: 'info',
			text: 'In English.',
			actions: [],
			attempt: { error: { code: 'PROVIDER_RATE_LIMITED', message: 'slow down', facts: {} }, waitMs: 3_000 },
		};
		assert.deepEqual(shape([wait, wait]), ['(notice)']);
		assert.deepEqual(shape([wait, call('fs_edit')]), ['(fs_edit)']);
		assert.deepEqual(shape([wait, { ...call('fs_edit'), turnId: newId('trn') }]), ['(notice)', '(fs_edit)']);
	});

	it('join reads between which only a plan was stored', () => {
		assert.deepEqual(shape([call('fs_read'), call('todo_write'), call('fs_read'), call('git_diff')]), [
			'fs_read fs_read git_diff',
		]);
	});
});
