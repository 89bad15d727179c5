/**
 * A host in a process of its own, for tests that kill it. Performs one op and dies (SIGKILL) at the step it is told;
 * `many` performs many and ends by itself. Started as: node broker-host-program.ts <json of HostOrder>
 */
import { createTrustedBase } from '../../../src/host/compose.ts';
import { brokerNotifications, brokerRequests } from '../../../src/protocol/turn/broker.ts';
import { newId, type OpId, type ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { testHost } from '../../support/host-ports.ts';
import { linkedPeers } from '../../support/linked-peers.ts';

export interface HostOrder {
	readonly home: string;
	readonly workspace: string;
	readonly opId: OpId;
	readonly threadId: ThreadId;
	readonly op: string;
	readonly params: unknown;
	readonly dieAt: 'question' | 'running' | 'effect' | 'outcome' | 'many';
}

const order = JSON.parse(process.argv[2] ?? '') as HostOrder;
const die = () => process.kill(process.pid, 'SIGKILL');
const never = new AbortController().signal;

const host = testHost({
	home: order.home,
	workspace: order.workspace,
	person: {
		approve() {
			if (order.dieAt === 'question') {
				die();
			}
			return Promise.resolve({ kind: 'once' });
		},
	},
});
const base = await createTrustedBase(host.ports);
const { near, far } = linkedPeers();
const connection = base.serveServer(near);
far.on(brokerNotifications, {
	progress: ({ kind }) => void (order.dieAt === 'running' && kind === 'running' && die()),
});

const { opId, op, params, threadId, dieAt } = order;
const turnId = newId('trn');
base.beginThread(threadId);
if (dieAt === 'many') {
	const one = () => far.call(brokerRequests.perform, { opId: newId('op'), op, params, threadId, turnId }, never);
	for (let round = 0; round < 20; round++) {
		await Promise.all(Array.from({ length: 10 }, one));
	}
} else {
	await far.call(brokerRequests.perform, { opId, op, params, threadId, turnId }, never);
	die();
}
connection.dispose();
await base.close();
