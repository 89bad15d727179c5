import assert from 'node:assert/strict';
import type { Approval } from '../../../protocol/approvals/approvals.ts';
import { newId } from '../../../protocol/rpc/ids.ts';
import type { OpOutcome } from '../../../protocol/turn/broker.ts';
import { ANSWER_KEY } from './asked-by-form.ts';
import { type FormCall, AskedCalls } from './asked-calls.ts';

const yes = { [ANSWER_KEY]: { action: 'accept', content: { [ANSWER_KEY]: 'once' } } };
const { signal: never } = new AbortController();

describe('Calls of an MCP client that wait for an answer', () => {
	function start() {
		const calls = new AskedCalls();
		const person = calls.person(({ id }) => `asked about ${id}`);
		const outcome = Promise.withResolvers<OpOutcome>();
		const call = calls.begin({
			opId: newId('op'),
			op: 'capability_start',
			outcome: outcome.promise,
			isAskable: true,
			stop: () => {},
		});
		const ask = (signal = never) =>
			person.approve({ id: newId('apr'), opId: call.opId, isOnceOffered: true, threadScope: null } as Approval, signal);
		return { calls, call, ask };
	}
	async function nextForm(calls: AskedCalls, call: FormCall) {
		const step = await calls.next(call);
		assert.ok('form' in step);
		return step;
	}

	it('take an answer for the form that was shown, and for no later one', async () => {
		const { calls, call, ask } = start();
		const first = ask();
		const shown = await nextForm(calls, call);
		calls.fillIn(shown.state, yes);
		assert.deepEqual(await first, { kind: 'once' });
		let answered: unknown = 'open';
		const second = ask().then((answer) => (answered = answer));
		const later = await nextForm(calls, call);
		// A client sends its answer again, as it does where it heard nothing.
		calls.fillIn(shown.state, yes);
		assert.equal(calls.find(shown.state), call);
		assert.deepEqual(await nextForm(calls, call), later);
		assert.equal(answered, 'open');
		calls.fillIn(later.state, yes);
		assert.deepEqual(await second, { kind: 'once' });
	});

	it('take no late answer to a question that is void for the one that is open now', async () => {
		const { calls, call, ask } = start();
		const gone = new AbortController();
		const first = ask(gone.signal);
		const shown = await nextForm(calls, call);
		gone.abort();
		assert.equal(await first, undefined);
		let answered: unknown = 'open';
		const second = ask().then((answer) => (answered = answer));
		calls.fillIn(shown.state, yes);
		const later = await nextForm(calls, call);
		assert.notEqual(later.state, shown.state);
		assert.equal(answered, 'open');
		calls.stop(new Error('the client has gone'));
		assert.equal(await second, undefined);
	});
});
