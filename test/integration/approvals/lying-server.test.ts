/** A server process that lies, over the channel of the product, against a host with the real gate, files and ledger. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from '../../../src/protocol/text/zod.ts';
import { brokerRequests } from '../../../src/protocol/turn/broker.ts';
import { newId, type ThreadId } from '../../../src/protocol/rpc/ids.ts';
import type { Approval } from '../../../src/protocol/approvals/approvals.ts';
import type { TrustedBase } from '../../../src/host/trusted-base.ts';
import { defineRequest } from '../../../src/protocol/rpc/message.ts';
import type { Mode } from '../../../src/protocol/thread/thread.ts';
import { CliServerProcess } from '../../../src/cli/server/server-process.ts';
import { waitUntilGone } from '../../support/processes.ts';
import type { TestHost } from '../../support/host-ports.ts';
import { emptyThread, useServedBases } from './served-base.ts';
import { specProgram } from '../../support/programs.ts';

const never = new AbortController().signal;
const Outcome = z.object({ status: z.string(), error: z.object({ code: z.string() }).optional() });
const lie = defineRequest(
	'lie',
	z.object({ threadId: z.string(), turnId: z.string(), opIds: z.array(z.string()) }),
	z.object({ settings: z.array(z.object({ refused: z.number() })), acts: z.array(Outcome) }),
);

describe('A captured server', function () {
	this.timeout(30_000);
	const start = useServedBases();
	let server: CliServerProcess | undefined;

	afterEach(async () => {
		const pid = server?.pid ?? 0;
		await server?.close();
		await waitUntilGone([pid]);
	});

	/** Returns the host's answer to each lie of a server that acts in the name of that thread. */
	async function lies(base: TrustedBase, host: TestHost, threadId: ThreadId) {
		server = new CliServerProcess({
			program: specProgram(join(import.meta.dirname, '../../fixtures/processes/server-that-lies.ts')),
			home: host.home,
			environment: process.env,
			log: host.ports.log,
			redact: (text) => text,
		});
		base.serveServer(server.peer);
		await server.start(async () => {}, never);
		const opIds = Array.from({ length: 7 }, () => newId('op'));
		return await server.call(lie, { threadId, turnId: newId('trn'), opIds }, never);
	}

	for (const mode of ['ask', 'plan'] satisfies Mode[]) {
		it(`changes and runs nothing in a thread in the mode ${mode}, and widens neither mode nor level`, async () => {
			const { base, host } = await start({ approvalMode: 'full', files: { 'a.txt': 'old\n' } });
			const threadId = newId('thr');
			await base.levels.set(threadId, 'manual', never);
			await base.modes.set(threadId, mode, never);
			const before = await base.levels.of(threadId, never);
			base.beginThread(threadId);
			const { settings, acts } = await lies(base, host, threadId);
			// The host has no such method for a server.
			assert.deepEqual(new Set(settings.map(({ refused }) => refused)), new Set([-32_601]));
			assert.deepEqual(
				acts.filter(({ status }) => status === 'done'),
				[],
			);
			assert.equal(readFileSync(join(host.workspace, 'a.txt'), 'utf8'), 'old\n');
			assert.deepEqual(
				['new.txt', 'run.txt'].map((name) => existsSync(join(host.workspace, name))),
				[false, false],
			);
			assert.equal(await base.modes.of(threadId, never), mode);
			assert.deepEqual(await base.levels.of(threadId, never), before);
		});
	}

	it('gives no tool back that a skill has taken from the thread', async () => {
		const skill = '---\nname: look\ndescription: Looks.\nrequired-tools: Read\n---\nLook.\n';
		const { base, host, farWire, threadId, perform } = await start({
			approvalMode: 'full',
			files: { 'a.txt': 'old\n', '.claude/skills/look/SKILL.md': skill },
		});
		farWire.onRequest('thread/open', () => Promise.resolve(emptyThread(threadId)));
		assert.equal((await perform('capability.start', { name: 'look' })).status, 'done');
		const { acts } = await lies(base, host, threadId);
		assert.deepEqual(
			acts.filter(({ status }) => status === 'done'),
			[],
		);
		assert.equal(readFileSync(join(host.workspace, 'a.txt'), 'utf8'), 'old\n');
		assert.equal(existsSync(join(host.workspace, 'run.txt')), false);
	});

	it('does nothing in the name of a thread in which the user has written nothing here, and each refusal is recorded', async () => {
		const { base, host, threadId } = await start({ approvalMode: 'full', files: { 'a.txt': 'old\n' } });
		await base.modes.set(threadId, 'ask', never);
		const madeUp = newId('thr');
		const { acts } = await lies(base, host, madeUp);
		assert.deepEqual(
			acts.map(({ status, error }) => `${status} ${error?.code}`),
			acts.map(() => 'denied INVALID_STATE'),
		);
		assert.equal(readFileSync(join(host.workspace, 'a.txt'), 'utf8'), 'old\n');
		assert.deepEqual(
			['new.txt', 'run.txt'].map((name) => existsSync(join(host.workspace, name))),
			[false, false],
		);
		const rows = await base.ledger.query({ threadId: madeUp, limit: 20 });
		assert.deepEqual(
			rows.map(({ kind, status }) => `${kind} ${status}`),
			acts.map(() => 'denial denied'),
		);
	});

	it('reads nothing and asks nothing in the name of such a thread, nor of one that was deleted or is only known', async () => {
		const asked: string[] = [];
		const approve = ({ op }: Approval) => {
			asked.push(op);
			return Promise.resolve({ kind: 'once' as const });
		};
		const options = { approvalMode: 'ask' as const, person: { approve }, files: { 'a.txt': 'old\n' } };
		const { base, far, turnId, threadId: deleted } = await start(options);
		await base.endThread(deleted);
		const known = newId('thr');
		await base.levels.set(known, 'full', never);
		for (const threadId of [newId('thr'), deleted, known]) {
			const ops = [
				{ opId: newId('op'), op: 'fs.read', params: { path: 'a.txt' } },
				{ opId: newId('op'), op: 'fs.write', params: { path: 'b.txt', content: 'x' } },
			];
			const ahead = far.call(brokerRequests.askAhead, { threadId, turnId, ops }, never);
			const outcomes = await Promise.all(
				ops.map((op) => far.call(brokerRequests.perform, { ...op, threadId, turnId }, never)),
			);
			await ahead;
			assert.deepEqual(
				outcomes.map(({ status }) => status),
				['denied', 'denied'],
			);
		}
		assert.deepEqual(asked, []);
	});
});
