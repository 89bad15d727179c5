import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Emitter } from '../../../base/emitter.ts';
import type { ExecutionInfo } from '../../../execution/runs/execution.ts';
import type { CapabilityExecutionResult } from '../../../protocol/execution/execution.ts';
import { ShownExecutions } from './executions.ts';

/** A manager that knows what a test says. */
function manager() {
	const infos = new Map<string, ExecutionInfo>();
	const started = new Emitter<ExecutionInfo>();
	const ended = new Emitter<CapabilityExecutionResult>();
	const closed = new Emitter<ExecutionInfo>();
	const progressed = new Emitter<{ executionId: string; message: string; fraction?: number }>();
	return {
		started,
		ended,
		closed,
		progressed,
		infos,
		list: () => [...infos.values()],
		output: (id: string) => `${id} says \`\`\`\n`,
		onDidStart: started.event,
		onDidEnd: ended.event,
		onDidClose: closed.event,
		onDidProgress: progressed.event,
		starts(executionId: string) {
			const startedAt = new Date(Date.now() - 5_000).toISOString();
			const rest = { status: 'running', threadId: null, startedAt, permissions: [], pid: 1, leftovers: [] } as const;
			const nothing = { resultView: undefined, params: {}, tool: undefined, startedBy: undefined };
			const info: ExecutionInfo = { executionId, name: executionId, type: 'skill', ...nothing, ...rest };
			infos.set(executionId, info);
			started.fire(info);
		},
		ends(executionId: string, result: Partial<CapabilityExecutionResult> = {}) {
			const info = infos.get(executionId);
			if (info !== undefined) infos.set(executionId, { ...info, status: 'completed' });
			ended.fire({ success: true, executionId, capabilityPath: '/c', ...result });
		},
	};
}

describe('The executions of a window', () => {
	it('are none before there is a manager, and none is found', () => {
		const executions = new ShownExecutions();
		assert.deepEqual(executions.all, []);
		assert.equal(executions.find('a'), undefined);
	});

	it('are told of, newest first, with what they said last, until they are followed no more', () => {
		const host = manager();
		const executions = new ShownExecutions();
		let told = 0;
		executions.onDidChange(() => void (told += 1));
		const followed = executions.follow(host);
		host.starts('a');
		host.starts('b');
		host.progressed.fire({ executionId: 'a', message: 'half', fraction: 0.5 });
		assert.deepEqual(
			executions.all.map(({ info, progress }) => [info.executionId, progress?.message]),
			[
				['b', undefined],
				['a', 'half'],
			],
		);
		assert.equal(told, 3);
		followed.dispose();
		host.ends('a');
		assert.equal(told, 3);
	});

	it('are live until they end, and then have their result and stand still', () => {
		const host = manager();
		const executions = new ShownExecutions();
		executions.follow(host);
		host.starts('a');
		assert.equal(executions.live.length, 1);
		assert.ok((executions.find('a')?.elapsedMs ?? 0) >= 5_000);
		host.ends('a', { result: 3 });
		assert.deepEqual(executions.live, []);
		assert.equal(executions.find('a')?.result?.result, 3);
		const { elapsedMs } = executions.find('a') ?? {};
		assert.equal(executions.find('a')?.elapsedMs, elapsedMs);
	});

	it('are told of again when they have left processes behind, and not when they have not', () => {
		const host = manager();
		const executions = new ShownExecutions();
		executions.follow(host);
		host.starts('a');
		host.ends('a');
		const info = host.infos.get('a') ?? assert.fail();
		let told = 0;
		executions.onDidChange(() => void (told += 1));
		host.closed.fire(info);
		assert.equal(told, 0);
		host.infos.set('a', { ...info, leftovers: [{ pid: 7, name: 'sleep' }] });
		host.closed.fire(host.infos.get('a') ?? assert.fail());
		assert.equal(told, 1);
		assert.deepEqual(executions.find('a')?.info.leftovers, [{ pid: 7, name: 'sleep' }]);
	});

	it('are forgotten with the manager', () => {
		const host = manager();
		const executions = new ShownExecutions();
		executions.follow(host);
		for (const id of ['a', 'b']) {
			host.starts(id);
			host.ends(id);
		}
		host.infos.delete('a');
		host.starts('c');
		host.ends('c');
		host.starts('a');
		assert.equal(executions.find('a')?.result, undefined);
		assert.notEqual(executions.find('b')?.result, undefined);
	});
});
