/**
 * A host in a process of its own, for tests that kill it or its executor. Runs the capability it is told and dies (SIGKILL),
 * or kills the executor, at a step of the op that the capability asks for. Started as: node … <json of CapabilityOrder>
 */
import { createTrustedBase } from '../../src/capability-host/compose.ts';
import { testHost } from '../support/host-ports.ts';

export interface CapabilityOrder {
	readonly home: string;
	readonly workspace: string;
	readonly victim: 'host' | 'executor';
	readonly dieAt: 'started' | 'progress' | 'question' | 'answered' | 'never';
	readonly params: unknown;
}

const order = JSON.parse(process.argv[2] ?? '') as CapabilityOrder;
const { home, workspace, victim, dieAt } = order;
const pids = () => base.capabilities.list().map(({ pid }) => pid);
const die = () => {
	const [pid = 0] = pids();
	process.stdout.write(`pid ${pid}\n`, () => process.kill(victim === 'host' ? process.pid : pid, 'SIGKILL'));
};

const host = testHost({
	home,
	workspace,
	person: {
		async approve({ op }) {
			if (op === 'capability.start') return { kind: 'once' };
			if (dieAt === 'question') {
				die();
				return await new Promise(() => {});
			}
			if (dieAt === 'answered') setImmediate(die);
			return { kind: 'once' };
		},
	},
});
const base = await createTrustedBase(host.ports);
base.capabilities.onDidStart(() => void (dieAt === 'started' && setTimeout(die, 60)));
base.capabilities.onDidProgress(() => void (dieAt === 'progress' && die()));
const result = await base.capabilities.run(
	{ capability: { name: 'writer' }, params: order.params, caller: { kind: 'user', threadId: null } },
	new AbortController().signal,
);
process.stdout.write(`result ${JSON.stringify(result)}\n`);
await base.close();
