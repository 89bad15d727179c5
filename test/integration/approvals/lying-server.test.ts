/** A server process that lies, over the channel of the product, against a host with the real gate, files and ledger. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from '../../../src/protocol/text/zod.ts';
import { newId } from '../../../src/protocol/ids.ts';
import { request } from '../../../src/protocol/rpc/message.ts';
import type { Mode } from '../../../src/protocol/thread/thread.ts';
import { ServerProcess } from '../../../src/cli/server/server-process.ts';
import { waitUntilGone } from '../../support/processes.ts';
import { useServedBases } from './served-base.ts';

const never = new AbortController().signal;
const Outcome = z.object({ status: z.string(), error: z.object({ code: z.string() }).optional() });
const lie = request(
	'lie',
	z.object({ threadId: z.string(), turnId: z.string(), opIds: z.array(z.string()) }),
	z.object({ settings: z.array(z.object({ refused: z.number() })), acts: z.array(Outcome) }),
);

describe('A captured server', function () {
	this.timeout(30_000);
	const start = useServedBases();
	let server: ServerProcess | undefined;

	afterEach(async () => {
		const pid = server?.pid ?? 0;
		await server?.close();
		await waitUntilGone([pid], 1_000);
	});

	for (const mode of ['ask', 'plan'] satisfies Mode[]) {
		it(`changes and runs nothing in a thread in the mode ${mode}, and widens neither mode nor level`, async () => {
			const { base, host } = await start({ approvalMode: 'full', files: { 'a.txt': 'old\n' } });
			const [threadId, turnId] = [newId('thr'), newId('trn')];
			await base.levels.set(threadId, 'manual', never);
			await base.modes.set(threadId, mode, never);
			const before = await base.levels.of(threadId, never);
			server = new ServerProcess({
				program: join(import.meta.dirname, '../../fixtures/processes/server-that-lies.ts'),
				home: host.home,
				environment: process.env,
				log: host.ports.log,
				redact: (text) => text,
			});
			base.serveServer(server.peer);
			await server.start(async () => {}, never);
			const opIds = Array.from({ length: 7 }, () => newId('op'));
			const { settings, acts } = await server.call(lie, { threadId, turnId, opIds }, never);
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
});
