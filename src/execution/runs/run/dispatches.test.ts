import assert from 'node:assert/strict';
import type { DispatchError, HostFrame } from '../../../protocol/execution/execution.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { Dispatches, type PerformDispatch } from './dispatches.ts';

describe('An op that an execution asks for', () => {
	function answerTo(perform: PerformDispatch) {
		const { promise, resolve } = Promise.withResolvers<Extract<HostFrame, { type: 'dispatch_result' }>>();
		const dispatches = new Dispatches({
			perform,
			answer: (frame) => frame.type === 'dispatch_result' && resolve(frame),
			onWaiting: () => assert.fail('nobody is asked'),
			onReport: () => assert.fail('nothing is reported'),
		});
		dispatches.take({ dispatchId: 'd-1', op: 'fs.read', params: {} });
		const error = promise.then((frame): DispatchError | undefined => ('error' in frame ? frame.error : undefined));
		return { dispatches, error };
	}

	for (const [what, fault, code] of [
		['of ours', new ProwessError('NOT_FOUND', 'a.txt is not there'), 'NOT_FOUND'],
		['of the system', new Error('a.txt is not there'), 'INTERNAL'],
	] as const) {
		it(`is answered with an error ${what}, when it rejects`, async () => {
			const { dispatches, error } = answerTo(() => Promise.reject(fault));
			assert.deepEqual(await error, { code, message: 'fs.read failed: a.txt is not there' });
			assert.deepEqual(dispatches.failed, { op: 'fs.read', code });
		});
	}

	it('is stopped with the execution, and still answered', async () => {
		const { dispatches, error } = answerTo(
			(_asked, _onProgress, signal) =>
				new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
		);
		dispatches.stop(new ProwessError('CANCELLED', 'the user stopped it'));
		assert.deepEqual(await error, { code: 'CANCELLED', message: 'fs.read failed: the user stopped it' });
	});
});
