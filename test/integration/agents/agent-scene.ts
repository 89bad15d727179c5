/** A trusted base and at its far end a server that begins threads and turns, and ends none by itself. Call `useAgents` in a `describe`. */
import assert from 'node:assert/strict';
import { brokerRequests, type OpOutcome } from '../../../src/protocol/turn/broker.ts';
import { newId, type ThreadId, type TurnId } from '../../../src/protocol/rpc/ids.ts';
import type { Peer } from '../../../src/protocol/rpc/peer.ts';
import type { ThreadEvent } from '../../../src/protocol/thread/thread.ts';
import {
	type AgentOfThread,
	threadNotifications,
	threadRequests,
} from '../../../src/protocol/thread/thread-requests.ts';
import type { TestHostOptions } from '../../support/host-ports.ts';
import { useServedBases } from '../approvals/served-base.ts';

const never = new AbortController().signal;
const AT = '2026-11-26T12:00:00.000Z';

/** Why an op was not done. */
export function why(outcome: OpOutcome): string {
	return outcome.status === 'done' ? 'done' : outcome.error.message;
}

export function useAgents() {
	const serve = useServedBases();

	return async function start(options: TestHostOptions = {}) {
		const end: { near?: Peer } = {};
		const server = () => (end.near === undefined ? Promise.reject(new Error('not yet')) : Promise.resolve(end.near));
		const served = await serve({ ...options, server });
		const { far, threadId: root } = served;
		end.near = served.near;
		const { create, prompt, steer, tell: message, stop, open, delete: remove } = threadRequests;
		/** Messages of agents to others than their own, as they were told. */
		const messages: { to: ThreadId; from: string; text: string }[] = [];
		const turns = new Map<ThreadId, TurnId>();
		const stopped: ThreadId[] = [];
		/** Waited for before a message, or the first of a sub-agent, begins a turn. */
		const held: { until?: Promise<unknown>; reached?: () => void } = {};
		/** `agent` of each thread created for a sub-agent, in order of creation. */
		const told: AgentOfThread[] = [];
		const tell = (threadId: ThreadId, ...events: ThreadEvent[]) =>
			far.notify(threadNotifications.update, { threadId, seq: 1, events });
		const begin = (threadId: ThreadId) => {
			const turnId = newId('trn');
			turns.set(threadId, turnId);
			tell(threadId, { type: 'turn.start', turnId, modelId: 'm' });
			return turnId;
		};
		const endTurn = (threadId: ThreadId, outcome: 'done' | 'stopped' = 'done') => {
			const turnId = turns.get(threadId) ?? newId('trn');
			tell(threadId, { type: 'turn.end', turnId, outcome, durationMs: 1 });
		};
		const infoOf = (threadId: ThreadId) => ({
			...{ id: threadId, title: '', modelId: null, mode: 'agent' as const, createdAt: AT, updatedAt: AT },
			...{ workspace: null, running: false },
		});
		const opened = (threadId: ThreadId) => ({
			...{ info: infoOf(threadId), seq: 1, items: [], earlier: 0, turnId: null, todos: [], usage: null },
		});
		far.serve(
			{ create, prompt, steer, message, stop, open, remove },
			{
				create: async ({ threadId = newId('thr'), agent }) => {
					if (agent !== undefined) told.push(agent);
					return infoOf(threadId);
				},
				prompt: async ({ threadId }) => {
					held.reached?.();
					await held.until;
					return { turnId: begin(threadId) };
				},
				steer: ({ threadId }) => Promise.resolve({ turnId: begin(threadId) }),
				message: async ({ threadId, text, from }) => {
					messages.push({ to: threadId, from: from.name, text });
					held.reached?.();
					await held.until;
					return { turnId: turns.get(threadId) ?? begin(threadId) };
				},
				stop: async ({ threadId }) => {
					stopped.push(threadId);
					endTurn(threadId, 'stopped');
					return {};
				},
				open: ({ threadId }) => Promise.resolve(opened(threadId)),
				remove: () => Promise.resolve({}),
			},
		);
		const as = (threadId: ThreadId, op: string, params: unknown, turnId = newId('trn')): Promise<OpOutcome> =>
			far.call(brokerRequests.perform, { opId: newId('op'), op, params, threadId, turnId }, never);
		const spawn = async (parent: ThreadId, more: object = {}): Promise<ThreadId> => {
			const outcome = await as(parent, 'agent.spawn', { task: 'Work', wait: false, ...more });
			assert.equal(outcome.status, 'done', JSON.stringify(outcome));
			return (outcome.status === 'done' && (outcome.result as { id: ThreadId }).id) || newId('thr');
		};
		const write = (threadId: ThreadId, path: string) => as(threadId, 'fs.write', { path, content: 'x' });
		return { ...served, root, as, spawn, write, endTurn, stopped, told, messages, turns, held };
	};
}
