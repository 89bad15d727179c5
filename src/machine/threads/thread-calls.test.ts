import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { FailingCalls, FailingEvents } from '../../../test/support/thread-that-answers.ts';
import { runThreadJob } from './thread-job.ts';
import { ThreadCalls } from './thread-calls.ts';
import { workerThread } from './worker-thread.ts';

const script = new URL('../../../test/support/thread-that-answers.ts', import.meta.url);

describe('Calls to a thread', () => {
	let open: ThreadCalls<FailingCalls, FailingEvents>[] = [];
	let events: string[];
	beforeEach(() => {
		events = [];
	});
	afterEach(async () => {
		await Promise.all(open.map((calls) => calls.end()));
		open = [];
	});

	function start(limits: { readonly limitMs?: number; readonly closeMs?: number } = {}) {
		const calls = new ThreadCalls<FailingCalls, FailingEvents>(
			workerThread({ script, what: 'the thread', name: 'spec' }),
			{
				what: 'the thread',
				failsWith: 'STORE_UNAVAILABLE',
				closeMs: 5_000,
				...limits,
				on: { echoed: (text) => void events.push(text), closed: () => void events.push('closed') },
			},
		);
		open.push(calls);
		return calls;
	}

	it('fail with why the thread died, each of them once, and the next call starts another thread', async () => {
		const calls = start();
		await calls.call('echo', 'before');
		const lost = [calls.call('wait', 1), calls.call('die', 'exit'), calls.call('echo', 'behind')];
		const [waited, ...rest] = await Promise.allSettled(lost);
		assert.deepEqual(waited, { status: 'fulfilled', value: 'waited' });
		for (const each of rest) {
			assert.equal(each.status, 'rejected');
			assert.equal((each.reason as { code: string }).code, 'STORE_UNAVAILABLE');
			assert.match(String(each.reason), /the thread ended with code 3/);
		}
		assert.deepEqual(await calls.call('heard', null), []);
	});

	it('fail with the error that the thread did not catch', async () => {
		const calls = start();
		const failed = /the thread failed: nobody catches this/;
		await Promise.all([
			assert.rejects(calls.call('die', 'throw'), failed),
			assert.rejects(calls.call('echo', 'behind'), failed),
		]);
	});

	it('that are unknown are refused by name, and the thread goes on', async () => {
		const calls = start();
		await calls.call('echo', 'kept');
		for (const name of ['erase', 'constructor', '__proto__'] as const) {
			await assert.rejects(calls.call(name as 'echo', ''), {
				code: 'INTERNAL',
				message: `there is no call "${name}" here`,
			});
		}
		assert.deepEqual(await calls.call('heard', null), ['kept']);
	});

	it('keep the code and the facts of an error; an error without a code gets that of the thread', async () => {
		const calls = start();
		await assert.rejects(calls.call('refuse', 'MEMORY_FULL'), {
			code: 'MEMORY_FULL',
			message: 'refused as asked',
			facts: { why: 'a spec' },
		});
		await assert.rejects(calls.call('breakDown', null), {
			code: 'STORE_UNAVAILABLE',
			message: 'broken as asked',
			facts: {},
		});
	});

	it('whose input or answer cannot be sent fail, and those that can be called after them do not', async () => {
		const calls = start();
		await assert.rejects(calls.call('echo', (() => '') as unknown as string), /echo cannot be sent/);
		await assert.rejects(calls.call('giveFunction', null), { code: 'STORE_UNAVAILABLE' });
		assert.equal(await calls.call('echo', 'after'), 'after');
	});

	it('reject with the reason of their signal at once, and a late answer counts for nothing', async () => {
		const calls = start();
		await calls.call('echo', 'started');
		const stop = new AbortController();
		const call = calls.call('wait', 300, stop.signal);
		await new Promise((resolve) => setTimeout(resolve, 50));
		stop.abort(new Error('no longer wanted'));
		await assert.rejects(call, /no longer wanted/);
		assert.equal(await calls.call('echo', 'behind'), 'behind');
	});

	it('do not reach the thread when they are aborted before they are sent', async () => {
		const calls = start();
		const [before, meanwhile] = [new AbortController(), new AbortController()];
		before.abort(new Error('too late'));
		await assert.rejects(calls.call('echo', 'one', before.signal), /too late/);
		const call = calls.call('echo', 'two', meanwhile.signal);
		meanwhile.abort(new Error('changed my mind'));
		await assert.rejects(call, /changed my mind/);
		assert.deepEqual(await calls.call('heard', null), []);
	});

	it('that take too long end the thread with all that waits behind them, and the next call starts another', async () => {
		const calls = start({ limitMs: 3_000 });
		await calls.call('echo', 'started');
		const slow = calls.call('wait', 60_000);
		// Requests of one turn of the loop go out together.
		await setImmediate();
		const behind = calls.call('echo', 'behind');
		await Promise.all([
			assert.rejects(slow, { code: 'TIMEOUT', message: 'the thread: wait took longer than 3000 ms' }),
			assert.rejects(behind, { code: 'STORE_UNAVAILABLE', message: 'the thread: wait took longer than 3000 ms' }),
		]);
		assert.deepEqual(await calls.call('heard', null), []);
	});

	it('are answered when they came before the end, and refused after it', async () => {
		const calls = start();
		const last = calls.call('echo', 'last');
		await Promise.all([calls.close(), calls.close()]);
		assert.equal(await last, 'last');
		assert.deepEqual(events, ['last', 'closed']);
		await assert.rejects(calls.call('echo', 'late'), { code: 'INVALID_STATE', message: 'echo: the thread is closed' });
	});

	it('fail when the thread does not close in time, or is ended', async () => {
		const closed = start({ closeMs: 10 });
		await closed.call('echo', 'started');
		const waiting = assert.rejects(closed.call('wait', 60_000), /the thread was closed/);
		await closed.close();
		const ended = start();
		const cut = assert.rejects(ended.call('wait', 60_000), /the thread was ended/);
		await ended.end();
		await Promise.all([waiting, cut]);
	});

	it('need no thread to be closed', async () => {
		await start().close();
		assert.deepEqual(events, []);
	});
});

describe('A job in a thread of its own', () => {
	const thread = { script, what: 'the job', name: 'spec' };

	it('ends at once when it is aborted, whatever it is doing', async () => {
		// This thread answers no call of the name that jobs have.
		await assert.rejects(runThreadJob(thread, null, new AbortController().signal), /there is no call "run" here/);
		const stop = new AbortController();
		const job = runThreadJob(thread, null, stop.signal);
		stop.abort(new Error('stopped'));
		await assert.rejects(job, /stopped/);
		await assert.rejects(runThreadJob(thread, null, stop.signal), /stopped/);
	});
});
