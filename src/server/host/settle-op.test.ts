import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { OpKnowledge, OpProgress } from '../../protocol/turn/broker.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import { requestHostOpWithin } from './request-op.ts';
import { resolveOpFate } from './settle-op.ts';

const never = new AbortController().signal;
const receipt = { writer: 'w', seq: 1, hash: 'h' };
const done = { status: 'done' as const, opId: newId('op'), result: {}, durationMs: 1, receipt };

/** A host that gives these answers, and then none. */
function hostOf(answers: readonly OpKnowledge[]) {
	const left = [...answers];
	return {
		outcome: (_: unknown, signal: AbortSignal) => {
			const next = left.shift();
			return next === undefined
				? new Promise<OpKnowledge>((_resolve, reject) => {
						signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
					})
				: Promise.resolve(next);
		},
	};
}

describe('what became of an op', () => {
	const fate = (answers: readonly OpKnowledge[], limitMs: number) =>
		resolveOpFate(hostOf(answers), done.opId, limitMs, never);

	it('is asked again while it still runs, until it has ended', async () => {
		const settled: OpKnowledge = { kind: 'settled', outcome: done };
		assert.deepEqual(await fate([{ kind: 'running' }, { kind: 'running' }, settled], 60_000), settled);
	});

	it('is in doubt where it still runs at the end of the wait, and unsaid where the host does not answer at all', async () => {
		assert.deepEqual(await fate([{ kind: 'running' }], 150), { kind: 'inDoubt' });
		assert.deepEqual(await fate([], 50), { kind: 'silent' });
		assert.deepEqual(await fate([{ kind: 'unknown' }], 60_000), { kind: 'never' });
	});
});

it('The time of an op of the server stands still while a person is asked, whatever is told meanwhile', async () => {
	const opId = newId('op');
	const host = {
		async perform(_request: unknown, onProgress: (progress: OpProgress) => void, signal: AbortSignal) {
			onProgress({ opId, kind: 'waiting', reason: 'asked' });
			onProgress({ opId, kind: 'output', chunk: 'text' });
			onProgress({ opId, kind: 'steps', steps: [] });
			await new Promise((resolve) => setTimeout(resolve, 60));
			const wasStopped = signal.aborted;
			onProgress({ opId, kind: 'running' });
			await new Promise((resolve) => setTimeout(resolve, 60));
			assert.deepEqual([wasStopped, signal.aborted], [false, true]);
			throw new Error('ended');
		},
	};
	const asker = { host, threadId: newId('thr'), turnId: newId('trn') };
	const done = await requestHostOpWithin(20, 'capability.list', {}, asker as never, never);
	assert.deepEqual(done, { ok: false, text: '(ended)' });
});
