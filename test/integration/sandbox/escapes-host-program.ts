/**
 * A host in a process of its own, with a home of its own, that performs the commands it is told: a line of JSON each on its
 * input, a line each on its output. Commands are allowed, in the sandbox and without it; nothing else is.
 * Started as: node escapes-host-program.ts <PROWESS_HOME> <workspace> <bubblewrap> <only in the sandbox: true or false>
 */
import { createInterface } from 'node:readline';
import { createTrustedBase } from '../../../src/host/compose.ts';
import { brokerRequests } from '../../../src/protocol/turn/broker.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { asLine } from '../../support/command-host.ts';
import { testHost } from '../../support/host-ports.ts';
import { linkedPeers } from '../../support/linked-peers.ts';

const [home = '', workspace = '', bubblewrap = '', isSandboxOnly] = process.argv.slice(2);
const host = testHost({
	home,
	workspace,
	settings: { 'prowess.tools.bubblewrapPath': bubblewrap },
	person: {
		approve({ op, detail }) {
			const isSandboxed = detail.kind === 'command' && detail.sandboxed === true;
			const isAllowed = op === 'shell.run' && (isSandboxed || isSandboxOnly === 'false');
			return Promise.resolve({ kind: isAllowed ? 'once' : 'deny' });
		},
	},
});
const places = { ...host.ports.places, userHome: process.env['HOME'] ?? '' };
const base = await createTrustedBase({ ...host.ports, places });
const { near, far } = linkedPeers();
base.serveServer(near);
const threadId = newId('thr');
const turnId = newId('trn');
base.beginThread(threadId);

for await (const line of createInterface({ input: process.stdin })) {
	const { id, params } = JSON.parse(line) as { id: number; params: unknown };
	const request = { opId: newId('op'), op: 'shell.run', params, threadId, turnId };
	const outcome = await far.call(brokerRequests.perform, request, new AbortController().signal);
	process.stdout.write(asLine({ id, outcome }));
}
await base.close();
