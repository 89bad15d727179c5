/**
 * A host in a process of its own, for tests that kill it or its executor. Runs the capability it is told and dies (SIGKILL),
 * or kills the executor, at a step of the op that the capability asks for. Started as: node … <json of CapabilityOrder>
 */
import { createTrustedBase } from '../../../src/host/compose.ts';
import { nothingOpen, testHost } from '../../support/host-ports.ts';
import { waitFor } from '../../support/wait-for.ts';

export interface CapabilityOrder {
	readonly home: string;
	readonly workspace: string;
	readonly victim: 'host' | 'executor';
	/** `standby`: after the execution, when a process waits for the next one. */
	readonly dieAt: 'started' | 'progress' | 'question' | 'answered' | 'standby' | 'never';
	readonly params: unknown;
}

const order = JSON.parse(process.argv[2] ?? '') as CapabilityOrder;
const { home, workspace, victim, dieAt } = order;
const pids = () =>
	dieAt === 'standby' ? base.capabilities.standbyPids : base.capabilities.list().map(({ pid }) => pid);
const die = () => {
	const [pid = 0] = pids();
	process.stdout.write(`pid ${pid}\n`, () => process.kill(victim === 'host' ? process.pid : pid, 'SIGKILL'));
};

const host = testHost({
	home,
	workspace,
	// Without an editor no process stands by.
	...(dieAt === 'standby' ? { editor: nothingOpen } : {}),
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
base.capabilities.onDidStart(() => {
	// `onDidStart` fires before there is a process. The skill goes no further then, however long the process takes to
	// begin.
	if (dieAt === 'started') void waitFor('its process', () => (pids()[0] ?? 0) > 0).then(die);
});
base.capabilities.onDidProgress(() => void (dieAt === 'progress' && die()));
const result = await base.capabilities.run(
	{ capability: { name: 'writer' }, params: order.params, caller: { kind: 'user', threadId: null } },
	new AbortController().signal,
);
process.stdout.write(`result ${JSON.stringify(result)}\n`);
if (dieAt === 'standby') {
	await waitFor('a process to stand by', () => base.capabilities.standbyPids.length > 0);
	die();
	await new Promise(() => {});
}
await base.close();
