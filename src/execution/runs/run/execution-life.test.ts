import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EXECUTION_STATUSES, type ExecutionStatus } from '../../../protocol/execution/execution.ts';
import { applyExecutionEvent, type ExecutionEvent, isTerminal } from './execution-life.ts';

const events = ['called', 'succeeded', 'failed', 'timeUp', 'stopAsked', 'exited'] as const;

const table: { readonly [S in ExecutionStatus]: readonly ExecutionStatus[] } = {
	starting: ['running', 'starting', 'failed', 'timeout', 'stopping', 'failed'],
	running: ['running', 'completed', 'failed', 'timeout', 'stopping', 'failed'],
	stopping: ['stopping', 'stopping', 'stopping', 'stopping', 'stopping', 'stopped'],
	completed: events.map(() => 'completed'),
	failed: events.map(() => 'failed'),
	timeout: events.map(() => 'timeout'),
	stopped: events.map(() => 'stopped'),
};

describe('The status of an execution', () => {
	for (const status of EXECUTION_STATUSES) {
		it(`follows the table from "${status}"`, () => {
			assert.deepEqual(
				events.map((event) => applyExecutionEvent(status, event)),
				table[status],
			);
		});
	}

	it('never leaves a terminal status, whatever happens', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom<ExecutionEvent>(...events)), (happened) => {
				let status: ExecutionStatus = 'starting';
				for (const event of happened) {
					const after = applyExecutionEvent(status, event);
					if (isTerminal(status)) assert.equal(after, status);
					status = after;
				}
				return true;
			}),
		);
	});
});
