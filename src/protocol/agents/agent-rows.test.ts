import assert from 'node:assert/strict';
import { inEnglish } from '../text/text.ts';
import { type AgentRow, type AgentRowState, orderAgentRows } from './agent-rows.ts';
import { agentStateInWords } from './agent-view.ts';

describe('Rows of agents', () => {
	const row = (id: string, state: AgentRowState, changedAt = 0): AgentRow => ({
		id,
		kind: 'thread',
		state,
		title: id,
		threadId: null,
		isRunning: state === 'working',
		files: 0,
		beganAt: 0,
		changedAt,
	});
	const order = (rows: readonly AgentRow[], most = 100) => orderAgentRows(rows, most).rows.map(({ id }) => id);

	it('begin with what needs the user, then what works, then what rests, then what ended', () => {
		const rows = [row('d', 'ended', 9), row('c', 'resting', 8), row('b', 'working', 7), row('a', 'needsYou', 6)];
		assert.deepEqual(order(rows), ['a', 'b', 'c', 'd']);
	});

	it('have first the question that has waited longest, and of all else the newest', () => {
		const both = (state: AgentRowState) => order([row('old', state, 1), row('new', state, 2)]);
		assert.deepEqual(both('needsYou'), ['old', 'new']);
		assert.deepEqual(both('working'), ['new', 'old']);
		assert.deepEqual(both('resting'), ['new', 'old']);
	});

	it('are bounded: beyond the bound they are counted, and none that needs the user goes before others do', () => {
		const many = Array.from({ length: 1_000 }, (_, at) => row(`r${at}`, at === 999 ? 'needsYou' : 'resting', at));
		const { rows, left } = orderAgentRows(many, 200);
		assert.deepEqual([rows.length, left, rows[0]?.id, rows[1]?.id], [200, 800, 'r999', 'r998']);
		assert.equal(orderAgentRows(many.slice(0, 3), 200).left, 0);
	});

	it('keep their order where their times are the same', () => {
		const rows = [row('b', 'working'), row('a', 'working')];
		assert.deepEqual(
			[order(rows), order(rows.toReversed())],
			[
				['a', 'b'],
				['a', 'b'],
			],
		);
	});

	it('say of one that rests how its last turn ended, and never that it is suspended then', () => {
		const words = (['done', 'failed', 'stopped', 'interrupted'] as const).map((outcome) =>
			inEnglish(agentStateInWords({ state: 'suspended', outcome })),
		);
		assert.deepEqual(words, ['Done', 'Failed', 'Stopped', 'Interrupted']);
		assert.equal(inEnglish(agentStateInWords({ state: 'running', outcome: 'done' })), 'Running');
	});
});
