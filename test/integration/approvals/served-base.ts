/**
 * A trusted base, served to a server over linked peers; each is closed after its test. The user has said something in each
 * thread that an op is performed for. Call `useServedBases` in a `describe`.
 */
import { createTrustedBase } from '../../../src/host/compose.ts';
import type { TrustedBase } from '../../../src/host/trusted-base.ts';
import {
	brokerNotifications,
	brokerRequests,
	type OpOutcome,
	type OpProgress,
} from '../../../src/protocol/turn/broker.ts';
import { newId, type OpId, type ThreadId } from '../../../src/protocol/rpc/ids.ts';
import type { ThreadSnapshot } from '../../../src/protocol/thread/thread.ts';
import { testHost, type TestHostOptions } from '../../support/host-ports.ts';
import { linkedPeers } from '../../support/linked-peers.ts';
import { sharedStore } from '../../support/shared-store.ts';

const never = new AbortController().signal;

/** Returns a server's answer for a thread in which nothing was said yet. */
export function emptyThread(id: ThreadId): ThreadSnapshot {
	const at = new Date().toISOString();
	const info = { id, title: 't', modelId: null, mode: 'agent', createdAt: at, updatedAt: at, workspace: null } as const;
	return { info: { ...info, running: true }, items: [], seq: 1, earlier: 0, turnId: null, todos: [], usage: null };
}

/** Everything inside the workspace is approved unless the options say otherwise. */
export function useServedBases() {
	const open: TrustedBase[] = [];
	afterEach(async () => {
		await Promise.all(open.splice(0).map((base) => base.close()));
	});
	return async (options: TestHostOptions = {}) => {
		const host = testHost({ approvalMode: 'full', ...options });
		const base = await createTrustedBase(host.ports, sharedStore);
		open.push(base);
		const { near, far, farWire } = linkedPeers();
		const connection = base.serveServer(near);
		const progress: OpProgress[] = [];
		far.on(brokerNotifications, { progress: (each) => void progress.push(each) });
		const threadId = newId('thr');
		const turnId = newId('trn');
		base.beginThread(threadId);
		const performFor = (thread: ThreadId, op: string, params: unknown, opId = newId('op')): Promise<OpOutcome> => {
			base.beginThread(thread);
			return far.call(brokerRequests.perform, { opId, op, params, threadId: thread, turnId }, never);
		};
		/** Resolves when all of them were performed. */
		const askAhead = (ops: readonly { op: string; params: unknown; opId: OpId }[], signal = never) =>
			far.call(brokerRequests.askAhead, { threadId, turnId, ops: [...ops] }, signal);
		const perform = (op: string, params: unknown, opId = newId('op')) => performFor(threadId, op, params, opId);
		return { host, base, near, far, farWire, connection, progress, threadId, turnId, perform, performFor, askAhead };
	};
}
