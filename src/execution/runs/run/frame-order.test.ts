import assert from 'node:assert/strict';
import { EXECUTION_PROTOCOL, EXECUTION_STATUSES, type ExecutorFrame } from '../../../protocol/execution/execution.ts';
import { judgeFrame } from './frame-order.ts';

const ready: ExecutorFrame = { type: 'ready', protocol: EXECUTION_PROTOCOL };
const result: ExecutorFrame = { type: 'result', callId: 'cap_1', value: 1 };
const dispatch: ExecutorFrame = { type: 'dispatch', dispatchId: 'd-1', op: 'fs.read', params: {} };

describe('The order of frames', () => {
	it('begins with ready, in the protocol of the host', () => {
		assert.deepEqual(judgeFrame(result, 'starting', 'cap_1'), { kind: 'violation', problem: 'result before ready' });
		assert.equal(judgeFrame({ type: 'ready', protocol: 99 }, 'starting', 'cap_1').kind, 'violation');
		assert.equal(judgeFrame(ready, 'starting', 'cap_1').kind, 'taken');
	});

	it('has ready once, and no word about another call', () => {
		assert.deepEqual(judgeFrame(ready, 'running', 'cap_1'), { kind: 'violation', problem: 'ready twice' });
		assert.equal(judgeFrame(result, 'running', 'cap_2').kind, 'violation');
		assert.deepEqual(
			[result, dispatch].map((frame) => judgeFrame(frame, 'running', 'cap_1').kind),
			['taken', 'taken'],
		);
	});

	it('ends with the execution: what comes later is late after a stop, and a fault after a result', () => {
		const kinds = EXECUTION_STATUSES.map((status) => [status, judgeFrame(dispatch, status, 'cap_1').kind]);
		assert.deepEqual(kinds, [
			['starting', 'violation'],
			['running', 'taken'],
			['completed', 'violation'],
			['failed', 'violation'],
			['timeout', 'late'],
			['stopping', 'late'],
			['stopped', 'violation'],
		]);
	});
});
