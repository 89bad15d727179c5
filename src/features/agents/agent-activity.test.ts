import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import type { ToolItem } from '../../protocol/thread/items.ts';
import { AgentActivity } from './agent-activity.ts';

describe('What a sub-agent does', () => {
	const turnId = newId('trn');
	const call = (title: string, status: ToolItem['status'] = 'pending'): ToolItem => ({
		id: newId('itm'),
		turnId,
		at: '2026-11-20T12:00:00.000Z',
		kind: 'tool',
		opId: newId('op'),
		tool: 'fs_read',
		title,
		input: {},
		status,
		output: '',
		outputTruncated: false,
	});

	it('is the call that began last and has not ended, and whether a person is asked', () => {
		const activity = new AgentActivity();
		const seen = () => [activity.doing, activity.isWaiting];
		const [read, write] = [call('Read a.txt', 'running'), call('Write b.txt')];
		activity.apply({ type: 'turn.start', turnId, modelId: 'acme/one' });
		assert.deepEqual(seen(), [undefined, false]);
		activity.apply({ type: 'item.start', item: read });
		activity.apply({ type: 'item.start', item: write });
		assert.deepEqual(seen(), ['Write b.txt', false]);
		activity.apply({ type: 'item.tool', itemId: write.id, patch: { status: 'waiting' } });
		assert.deepEqual(seen(), ['Write b.txt', true]);
		activity.apply({ type: 'item.tool', itemId: write.id, patch: { status: 'denied' } });
		assert.deepEqual(seen(), ['Read a.txt', false]);
		activity.apply({ type: 'turn.end', turnId, outcome: 'done', durationMs: 1 });
		assert.deepEqual([...seen(), activity.isRunning, activity.hasEnded(turnId)], [undefined, false, false, true]);
	});
});
