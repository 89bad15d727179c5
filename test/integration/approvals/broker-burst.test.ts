/** Many requests in one moment: they wait for each other's answers, and each still has the one end that it would have alone. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { brokerRequests, type OpOutcome } from '../../../src/protocol/turn/broker.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { useServedBases } from './served-base.ts';

const never = new AbortController().signal;
const COUNT = 48;

describe('a burst of requests', () => {
	const start = useServedBases();

	it('has no effect but of those whose intent is recorded, wherever in the queue a stop finds them', async () => {
		const { base, far, host, threadId, turnId } = await start();
		const [stopAtOnce, stop] = [new AbortController(), new AbortController()];
		const signals = [never, stopAtOnce.signal, never, stop.signal];
		const asked = Array.from({ length: COUNT }, (_, n) => ({ opId: newId('op'), path: `new/${n}.txt` }));
		let settled = 0;
		const asking = Promise.all(
			asked.map(async ({ opId, path }, n) => {
				const request = { opId, op: 'fs.write', params: { path, content: 'x' }, threadId, turnId };
				const signal = signals[n % 4] ?? never;
				const outcome = await far.call(brokerRequests.perform, request, signal).catch((error: unknown) => error);
				settled += 1;
				if (settled > COUNT / 4) stop.abort(new Error('stopped in the middle of the burst'));
				return outcome as OpOutcome | Error;
			}),
		);
		stopAtOnce.abort(new Error('stopped while all of it waits'));
		const outcomes = await asking;
		await base.close();
		const reopened = await start({ home: host.home, workspace: host.workspace });
		const recorded = await reopened.base.ledger.query({ threadId, limit: 2 * COUNT });
		for (const [n, { opId, path }] of asked.entries()) {
			const rows = recorded.filter((row) => row.opId === opId);
			const [end, ...others] = rows.filter(({ kind }) => kind !== 'intent');
			assert.deepEqual(others, [], `${path} has more than one end`);
			const hasIntent = rows.length === 2;
			const isThere = existsSync(join(host.workspace, path));
			assert.ok(!isThere || hasIntent, `${path} was written without an intent`);
			assert.ok(isThere || end?.status === 'cancelled', `${path} ended as ${end?.status ?? 'nothing'}`);
			if (n % 4 === 1) assert.deepEqual([end?.status, hasIntent], ['cancelled', false], path);
			if (n % 2 === 0) assert.deepEqual([end?.status, (outcomes[n] as OpOutcome).status], ['done', 'done'], path);
		}
		assert.equal((await reopened.base.ledger.verify(never)).ok, true);
	});

	it('runs an op once that is asked for many times in it', async () => {
		const { base, far, threadId, turnId } = await start({ files: { 'log.txt': '' } });
		const opId = newId('op');
		const params = { argv: [process.execPath, '-e', 'require("fs").appendFileSync("log.txt", "x")'] };
		const request = { opId, op: 'shell.run', params, threadId, turnId };
		const outcomes = await Promise.all(
			Array.from({ length: COUNT }, () => far.call(brokerRequests.perform, request, never)),
		);
		assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], ['done']);
		assert.equal(new Set(outcomes.map(({ receipt }) => receipt?.hash)).size, 1);
		const rows = await base.ledger.query({ opId, limit: 10 });
		assert.deepEqual(rows.map(({ kind }) => kind).toSorted(), ['intent', 'outcome']);
	});
});
