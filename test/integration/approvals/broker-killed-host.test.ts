import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTrustedBase } from '../../../src/host/compose.ts';
import { brokerRequests, type OpKnowledge, type OpOutcome } from '../../../src/protocol/turn/broker.ts';
import type { LedgerVerification } from '../../../src/protocol/approvals/ledger.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { testHost } from '../../support/host-ports.ts';
import { linkedPeers } from '../../support/linked-peers.ts';
import { tempDir } from '../../support/temp-dir.ts';
import type { HostOrder } from './broker-host-program.ts';
import { specProgram } from '../../support/programs.ts';

const program = specProgram(join(import.meta.dirname, 'broker-host-program.ts'));
const never = new AbortController().signal;

/** Leaves a mark each time it runs; the second form kills its host when it has. */
const mark = "require('node:fs').appendFileSync('mark', 'x');";
const marks = { params: { argv: [process.execPath, '-e', mark] } };
// Outside of a sandbox, where its parent is the host.
const marksAndKills = {
	params: {
		argv: [process.execPath, '-e', `${mark} process.kill(process.ppid, 'SIGKILL')`],
		needs: { noSandbox: true },
	},
};

async function runHost(order: HostOrder): Promise<{ code: number | null; signal: string | null }> {
	const child = spawn(process.execPath, ['--no-warnings', program, JSON.stringify(order)], {
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
	return { code, signal };
}

interface Afterwards {
	readonly knowledge: OpKnowledge;
	readonly again: OpOutcome;
	readonly verification: LedgerVerification;
	readonly marks: string;
}

/**
 * Starts the next host on the same home; returns what it knows of the op, and the outcome of asking for the same op
 * again.
 */
async function nextHost(order: HostOrder): Promise<Afterwards> {
	const { ports } = testHost({ home: order.home, workspace: order.workspace, approvalMode: 'full' });
	const base = await createTrustedBase(ports);
	try {
		const { near, far } = linkedPeers();
		const connection = base.serveServer(near);
		const { opId, op, params, threadId } = order;
		base.beginThread(threadId);
		const knowledge = await far.call(brokerRequests.outcome, { opId }, never);
		const again = await far.call(brokerRequests.perform, { opId, op, params, threadId, turnId: newId('trn') }, never);
		const verification = await base.ledger.verify(never);
		connection.dispose();
		const path = join(order.workspace, 'mark');
		return { knowledge, again, verification, marks: existsSync(path) ? readFileSync(path, 'utf8') : '' };
	} finally {
		await base.close();
	}
}

function orderOf(dieAt: HostOrder['dieAt'], over: Partial<HostOrder> = {}): HostOrder {
	const [home, workspace] = [tempDir('home'), tempDir('workspace')];
	return { home, workspace, opId: newId('op'), threadId: newId('thr'), op: 'shell.run', ...marks, dieAt, ...over };
}

describe('a host that is killed during an op', () => {
	it('while the question is open: nothing happened, and it may be asked again', async () => {
		const order = orderOf('question');
		assert.equal((await runHost(order)).signal, 'SIGKILL');
		const { knowledge, again, verification, marks: left } = await nextHost(order);
		assert.equal(knowledge.kind, 'unknown');
		assert.deepEqual([again.status, left], ['done', 'x']);
		assert.equal(verification.ok, true);
	});

	it('between the record and the effect: in doubt, and not done again', async () => {
		const order = orderOf('running');
		assert.equal((await runHost(order)).signal, 'SIGKILL');
		const { knowledge, again, verification, marks: left } = await nextHost(order);
		assert.equal(knowledge.kind, 'inDoubt');
		assert.equal(again.status !== 'done' && again.error.code, 'OUTCOME_IN_DOUBT');
		// The command may or may not have started, hence the doubt; at most one run may have left a mark.
		assert.ok(left.length <= 1, left);
		assert.equal(verification.ok, true);
	});

	it('between the effect and its record: in doubt, and not done again', async () => {
		const order = orderOf('effect', marksAndKills);
		assert.equal((await runHost(order)).signal, 'SIGKILL');
		const { knowledge, again, verification, marks: left } = await nextHost(order);
		assert.equal(knowledge.kind, 'inDoubt');
		assert.equal(again.status !== 'done' && again.error.code, 'OUTCOME_IN_DOUBT');
		assert.equal(left, 'x');
		assert.equal(verification.ok, true);
	});

	it('after the outcome was recorded: known as done, and not done again', async () => {
		const order = orderOf('outcome');
		assert.equal((await runHost(order)).signal, 'SIGKILL');
		const { knowledge, again, verification, marks: left } = await nextHost(order);
		assert.deepEqual([knowledge.kind, knowledge.kind === 'recorded' && knowledge.status], ['recorded', 'done']);
		assert.equal(again.status !== 'done' && again.error.facts['status'], 'done');
		assert.equal(left, 'x');
		assert.deepEqual([verification.ok, verification.rows], [true, 2]);
	});
});

describe('hosts at the same time', () => {
	it('write one ledger, a chain each', async function () {
		this.timeout(30_000);
		const [home, workspace] = [tempDir('home'), tempDir('workspace')];
		const orders = [0, 1, 2].map(() => orderOf('many', { home, workspace, op: 'fs.list', params: { path: '.' } }));
		assert.deepEqual(
			await Promise.all(orders.map(runHost)),
			orders.map(() => ({ code: 0, signal: null })),
		);
		const base = await createTrustedBase(testHost({ home, workspace }).ports);
		const verification = await base.ledger.verify(never);
		await base.close();
		assert.deepEqual(verification, { ok: true, rows: 3 * 200 * 2, writers: 3, removed: 0, problems: [], faults: [] });
	});
});
