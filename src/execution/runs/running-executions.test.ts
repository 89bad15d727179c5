import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import { testHost } from '../../../test/support/host-ports.ts';
import { ENDED_EXECUTIONS_KEPT, ENDED_UNTAKEN_KEPT } from '../processes/limits.ts';
import { Redactor } from '../../trust/record/redaction/redactor.ts';
import { RunningExecutions } from './running-executions.ts';

describe('RunningExecutions', () => {
	let running: RunningExecutions;
	beforeEach(() => {
		running = new RunningExecutions(new Redactor(), testHost().ports.log);
	});

	/** Launches an execution that fails to begin once `until` is settled: its result is the error. */
	function launch(id: string, until: Promise<void> = Promise.resolve()) {
		return running.launch({
			execution: {
				id,
				opId: newId('op'),
				name: 'x',
				type: 'skill',
				level: 'SAFE',
				path: '/x',
				resultView: undefined,
				params: {},
				tool: undefined,
				startedBy: undefined,
				threadId: null,
				trigger: 'user',
				parentAgentId: undefined,
				parentAgentInstanceId: undefined,
				permissions: new Set(),
				databases: undefined,
				allowedTools: undefined,
				provides: [],
				parent: undefined,
				messages: [],
				metadata: {},
			},
			takesPlace: true,
			async begin() {
				await until;
				throw new Error('it does not begin');
			},
			async recordEnd() {},
		});
	}

	it('keep the result of one during which very many others ended', async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		const first = launch('cap_first', promise);
		for (let n = 0; n < ENDED_EXECUTIONS_KEPT + 50; n += 1) {
			await launch(`cap_${n}`).result;
			await running.resultOf(`cap_${n}`);
		}
		resolve();
		await first.result;
		assert.equal((await running.resultOf('cap_first')).executionId, 'cap_first');
		assert.equal(running.all.length, ENDED_EXECUTIONS_KEPT);
		assert.throws(() => running.get('cap_0'), { code: 'INVALID_REQUEST' });
	});

	it('keep a result that nobody has had, and forget it when very many wait so', async () => {
		for (let n = 0; n < ENDED_EXECUTIONS_KEPT + 50; n += 1) {
			await launch(`cap_${n}`).result;
		}
		assert.equal((await running.resultOf('cap_0')).executionId, 'cap_0');
		for (let n = ENDED_EXECUTIONS_KEPT + 50; n < ENDED_UNTAKEN_KEPT + 50; n += 1) {
			await launch(`cap_${n}`).result;
		}
		assert.equal(running.all.length, ENDED_UNTAKEN_KEPT);
	});
});
