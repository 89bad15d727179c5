/**
 * Runs a host in a process of its own, at the level Auto, with a person who gives every question the same answer. Each
 * request of a captured server arrives as a line of JSON on its input; each outcome is a line on its output.
 * Started as: node captured-server-program.ts <PROWESS_HOME> <workspace> <bubblewrap> <answer: deny or once>
 */
import { createInterface } from 'node:readline';
import { createTrustedBase } from '../../../src/host/compose.ts';
import { brokerRequests } from '../../../src/protocol/turn/broker.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { asLine } from '../../support/command-host.ts';
import { testHost } from '../../support/host-ports.ts';
import { linkedPeers } from '../../support/linked-peers.ts';

const [home = '', workspace = '', bubblewrap = '', answer] = process.argv.slice(2);
const host = testHost({
	home,
	workspace,
	secrets: { github: 'canary-kept-secret' },
	settings: { 'prowess.tools.bubblewrapPath': bubblewrap, 'prowess.approvals.level': 'auto' },
	person: {
		approve: () => Promise.resolve({ kind: answer === 'once' ? 'once' : 'deny' }),
		answer: () => Promise.resolve('no'),
	},
});
const places = { ...host.ports.places, userHome: process.env['HOME'] ?? '' };
const base = await createTrustedBase({ ...host.ports, places });
const { near, far } = linkedPeers();
base.serveServer(near);
const [threadId, turnId] = [newId('thr'), newId('trn')];
base.beginThread(threadId);

for await (const line of createInterface({ input: process.stdin })) {
	const { op, params } = JSON.parse(line) as { op: string; params: unknown };
	const asked = { opId: newId('op'), op, params, threadId, turnId };
	const outcome = await far
		.call(brokerRequests.perform, asked, new AbortController().signal)
		.catch((error: unknown) => ({ status: 'refused', error: String(error) }));
	process.stdout.write(asLine({ outcome }));
}
await base.close();
