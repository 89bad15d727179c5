/**
 * Serves the broker to one server. The connection itself identifies who asks: of a request, only the op, its params and
 * its thread count. When the connection ends, everything it has under way is stopped.
 */
import { deriveSignal } from '../base/time/derived-signal.ts';
import { type Disposable, DisposableStore, toDisposable } from '../base/disposable.ts';
import type { CapabilityRegistry } from '../catalog/registry/capability-registry.ts';
import type { AgentWatch } from '../features/agents/agent-watch.ts';
import type { ModelAccess } from '../features/models/model-access.ts';
import type { CustomAgents } from '../features/agents/custom/custom-agents.ts';
import type { SubAgents } from '../features/agents/sub-agents.ts';
import type { Schedules } from '../features/schedule/schedules.ts';
import { brokerNotifications, brokerRequests, type OpKnowledge } from '../protocol/turn/broker.ts';
import { ProwessError } from '../protocol/errors/errors.ts';
import type { SubTurnId, ThreadId, TurnId } from '../protocol/rpc/ids.ts';
import type { Peer } from '../protocol/rpc/peer.ts';
import { judgementNotifications, judgementRequests } from '../protocol/turn/judgement.ts';
import { usageNotifications, usageRequests } from '../protocol/turn/usage.ts';
import { turnHookRequests } from '../protocol/turn/turn-hooks.ts';
import { isOpName, ops } from '../protocol/op-table/ops.ts';
import type { OpDef } from '../protocol/ops/define-op.ts';
import { turnNotifications } from '../protocol/thread/thread-requests.ts';
import type { CapabilityManager } from '../execution/runs/capability-manager.ts';
import type { Broker } from '../trust/broker/broker.ts';
import { threadMessages } from '../trust/broker/person/thread-messages.ts';
import { ToldProgress } from '../trust/broker/told-progress.ts';
import type { ThreadGrants } from '../trust/gate/policy/levels/thread-grants.ts';
import type { ForeignHooks } from '../trust/gate/hooks/foreign/foreign-hooks.ts';
import type { Ground } from './ground.ts';
import type { TrustedBase } from './trusted-base.ts';
import { hostOrRefusal, type WorktreeHosts } from './worktree-hosts.ts';

interface ServedDeps {
	readonly ground: Pick<Ground, 'redactor' | 'quotas' | 'telemetry' | 'rights'>;
	readonly broker: Broker;
	/** Stops the executions of a turn when it ends, and those of all agents when the server's connection ends. */
	readonly executions: Pick<CapabilityManager, 'stopAllForParent' | 'stopAllOfAgents'>;
	/** Answers for a turn end with it. */
	readonly grants: Pick<ThreadGrants, 'endTurn' | 'endTurns'>;
	/** Hooks of the user and of plugins, called at moments of a turn. */
	readonly hooks: Pick<ForeignHooks, 'resting' | 'compacting'>;
	/** Hosts of the worktrees that threads work in. */
	readonly worktrees: Pick<WorktreeHosts<ComposedHost>, 'of' | 'now' | 'enter' | 'ended' | 'endedAll'>;
	/** For which a sub-turn runs now. */
	capabilityOf(subTurnId: SubTurnId): string | undefined;
	/** The thread's agent is about to act in that turn. */
	began(threadId: ThreadId, turnId: TurnId): void;
}

interface ServingParts extends Omit<ServedDeps, 'ground' | 'capabilityOf' | 'worktrees'> {
	readonly registry: Pick<CapabilityRegistry, 'prepare'>;
	readonly models: ModelAccess;
	readonly agentWatch: AgentWatch;
}

/** A host, with the parts of it that serve a server, or are shared with the hosts of worktrees inside of it. */
export interface ComposedHost {
	readonly base: TrustedBase;
	readonly parts: ServingParts & {
		readonly agents: SubAgents;
		readonly customAgents: CustomAgents;
		readonly schedules: Pick<Schedules, 'refuses' | 'scheduleOf'>;
		/** Settles when the ledger is open. */
		readonly opened: Promise<unknown>;
	};
	close(): Promise<void>;
}

/** Returns a function that serves one server ops, usage, sub-turns and sub-agents, until its result is disposed. */
export function serveServer(
	ground: ServedDeps['ground'],
	{ registry, models, agentWatch, ...deps }: ServingParts,
	worktrees: ServedDeps['worktrees'],
): (server: Peer) => Disposable {
	return (server) => {
		const served = new DisposableStore();
		// Looks for capabilities early: the first request of the server names them, and most are found while it starts.
		registry.prepare();
		served.add(
			serveBroker(
				{ ground, ...deps, worktrees, capabilityOf: (subTurnId) => models.live.capabilityOf(subTurnId) },
				server,
			),
		);
		served.add(models.live.serve(server));
		served.add(agentWatch.serve(server));
		return served;
	};
}

function serveBroker({ ground, worktrees, capabilityOf, ...own }: ServedDeps, server: Peer): Disposable {
	const { broker } = own;
	const { redactor, quotas, telemetry, rights } = ground;
	const { access, threadTools } = rights;
	const connection = new AbortController();
	const whileConnected = async <T>(signal: AbortSignal, work: (either: AbortSignal) => Promise<T>): Promise<T> => {
		const either = deriveSignal(connection.signal);
		const stop = () => either.abort(signal.reason);
		if (signal.aborted) {
			stop();
		}
		signal.addEventListener('abort', stop, { once: true });
		try {
			return await work(either.signal);
		} finally {
			signal.removeEventListener('abort', stop);
			either.dispose();
		}
	};
	/** Parts of the host where the thread works; or why it cannot. */
	const enterPlace = async (threadId: ThreadId, turnId: TurnId) => {
		const place = await hostOrRefusal(async () => await worktrees.enter(threadId, turnId));
		return 'error' in place ? place : (place.host?.parts ?? own);
	};
	const listPlaces = () => [own, ...worktrees.now.map(({ parts }) => parts)];
	/** Undefined: the thread cannot work, as its ops say; then no hook has a folder to run in. */
	const findHooks = async (threadId: ThreadId) => {
		const place = await hostOrRefusal(async () => await worktrees.of(threadId));
		return 'error' in place ? undefined : (place.host?.parts ?? own).hooks;
	};
	const readMessages = async (threadId: ThreadId, within: AbortSignal) =>
		access.of(threadId).denied.includes('history') ? [] : await threadMessages(server, threadId, within);
	const served = server.serve(brokerRequests, {
		perform: ({ opId, op, params, threadId, turnId, isOurs }, signal) => {
			const told = new ToldProgress((progress) => server.notify(brokerNotifications.progress, progress));
			const notifyPaced = (ms: number, limit: number) =>
				told.told({ opId, kind: 'paced', limit, until: new Date(Date.now() + ms).toISOString() });
			return whileConnected(signal, async (either) => {
				if (isToolCall(op)) await quotas.pace.enter(threadId, notifyPaced, either);
				const place = await enterPlace(threadId, turnId);
				if ('error' in place) return { status: 'failed', opId, error: place.error, durationMs: 0 } as const;
				place.began(threadId, turnId);
				return await place.broker
					.perform(
						{ opId, op, params },
						{
							caller: { kind: 'agent', threadId, turnId },
							...(isOurs && { isOurs }),
							onProgress: (progress) => told.told(progress),
							readThread: (within) => readMessages(threadId, within),
						},
						either,
					)
					.finally(() => told.ended());
			});
		},
		askAhead: ({ threadId, turnId, ops }, signal) =>
			whileConnected(signal, async (either) => {
				const readThread = (within: AbortSignal) => readMessages(threadId, within);
				const place = await enterPlace(threadId, turnId);
				if (!('error' in place))
					await place.broker.askAhead(ops, { caller: { kind: 'agent', threadId, turnId }, readThread }, either);
				return {};
			}),
		outcome: async ({ opId }) => {
			const isKnownHere = ({ kind }: OpKnowledge) => kind === 'running' || kind === 'settled';
			for (const place of listPlaces()) {
				const known = await place.broker.knowledge(opId);
				if (isKnownHere(known)) return known;
			}
			// All know what the ledger says of an op that nobody performs.
			return await broker.knowledge(opId);
		},
		redact: async ({ value }) => ({ value: redactor.redactDeep(value) }),
	});
	const hooked = server.serve(turnHookRequests, {
		resting: ({ threadId, ...said }, signal) =>
			whileConnected(signal, async (either) => ({
				again: (await (await findHooks(threadId))?.resting(threadId, said, either)) ?? null,
			})),
		compacting: ({ threadId, ...how }, signal) =>
			whileConnected(signal, async (either) => {
				await (await findHooks(threadId))?.compacting(threadId, how, either);
				return {};
			}),
	});
	const granted = server.serve(usageRequests, {
		begin: async ({ threadId, subTurnId }, signal) => {
			telemetry.began();
			const capability = subTurnId === undefined ? undefined : capabilityOf(subTurnId);
			if (threadId === undefined) return quotas.begin(threadId, capability);
			const checked = access.check('send', threadId);
			await threadTools.ready(threadId, signal);
			return { ...quotas.begin(threadId, capability), access: checked, skillTools: [...threadTools.of(threadId)] };
		},
		grant: async ({ invocation }) => ({ quotas: quotas.grant(invocation) }),
		spent: async ({ threadId }) => ({ cost: quotas.spent(threadId) }),
	});
	const { overrules } = quotas;
	const judged = server.serve(judgementRequests, {
		standing: async (judgement) => overrules.standing(judgement),
		overruled: async ({ judgement, occasion }) => overrules.count(judgement, occasion),
		restored: async (judgement) => {
			overrules.restore(judgement);
			return {};
		},
	});
	const told = server.on(judgementNotifications, { told: (judgement) => overrules.told(judgement) });
	const used = server.on(usageNotifications, { used: (request) => quotas.used(request) });
	const heard = server.on(turnNotifications, {
		ended: ({ turnId, outcome }) => {
			telemetry.ended(server, turnId);
			for (const { grants, executions } of listPlaces()) {
				grants.endTurn(turnId);
				// Executions that a turn left in the background go on when the turn came to its end by itself.
				if (outcome !== 'done') void executions.stopAllForParent(turnId);
			}
			worktrees.ended(turnId);
		},
	});
	return toDisposable(() => {
		served.dispose();
		hooked.dispose();
		granted.dispose();
		judged.dispose();
		told.dispose();
		used.dispose();
		heard.dispose();
		connection.abort(new ProwessError('CANCELLED', 'the connection to the server ended'));
		for (const { grants, executions } of listPlaces()) {
			grants.endTurns();
			void executions.stopAllOfAgents();
		}
		worktrees.endedAll();
	});
}

/** True for an op that a model calls as a tool. Ops that the server asks for by itself before a turn do not count. */
function isToolCall(op: string): boolean {
	return isOpName(op) && (ops[op] as OpDef).tool !== undefined && (ops[op] as OpDef).isHousekeeping !== true;
}
