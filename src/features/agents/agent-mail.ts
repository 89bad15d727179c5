/**
 * Messages between the agents of one tree: a thread of the user and all that works for it. A message is read as the words
 * of an agent and gives nobody a right. None goes round in a circle, and nobody waits for one who waits for them.
 */
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { AgentReport } from '../../protocol/agents/agent-ops.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { OpParams, OpResult } from '../../protocol/op-table/ops.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { text } from '../../protocol/text/text.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { AgentCaller } from '../../contract/ops/caller.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import type { AgentRecord, AgentRecords } from '../../trust/gate/access/agent-records.ts';
import { type AgentAnswers, toReportHead } from './agent-answers.ts';
import { type AgentViews, isOfAgent } from './agent-views.ts';
import type { AgentWatch } from './agent-watch.ts';
import { agentLimits } from './limits.ts';

interface AgentMailDeps {
	readonly records: AgentRecords;
	readonly watch: Pick<AgentWatch, 'activityOf' | 'stopTurn' | 'wasStopped'>;
	readonly answers: AgentAnswers;
	readonly views: AgentViews;
	server(): Promise<Peer>;
	/** Before a turn of a sub-agent that rests begins. */
	ready(record: AgentRecord, signal: AbortSignal): Promise<void>;
	/** A message has begun that turn, or has come to it. */
	reached(turnId: TurnId, by: { readonly turnId: TurnId; readonly opId: OpContext['opId'] }): void;
}

/** Where an agent stands, seen from another one of its tree. */
type Relation = 'below' | 'beside' | 'above';

export class AgentMail {
	readonly #deps: AgentMailDeps;
	/** Writers, one after another, until the message that came to a turn; the newest turns. */
	readonly #chains = new Map<TurnId, readonly ThreadId[]>();
	/** Times of the messages of the last minute, by the thread of the user. */
	readonly #sent = new Map<ThreadId, readonly number[]>();

	constructor(deps: AgentMailDeps) {
		this.#deps = deps;
	}

	async send(
		{ id, message, wait }: OpParams<'agent.send'>,
		caller: AgentCaller,
		context: OpContext,
	): Promise<AgentReport> {
		const { records, answers } = this.#deps;
		const relation = this.#relationOf(id, caller.threadId);
		const isWaitedFor = wait && relation !== 'above';
		if (isWaitedFor && answers.isAwaited(caller.threadId, id)) {
			throw new ProwessError('INVALID_STATE', `${id} waits for you: send the message with wait false`, {
				id,
				said: text('Both agents would wait for each other.'),
			});
		}
		if (message === undefined) {
			if (relation === 'above') {
				throw new ProwessError('INVALID_PARAMS', 'message: say what the thread that you work for should know', {
					said: text('The message to the thread that it works for is missing.'),
				});
			}
			return await answers.report(id, undefined, isWaitedFor, context);
		}
		const record = records.of(id);
		if (record?.state === 'terminated') {
			throw new ProwessError('INVALID_STATE', `sub-agent ${id} is terminated; start another one`, {
				id,
				said: text('This sub-agent has ended.'),
			});
		}
		const chain = this.#checkCircle(id, caller);
		this.#checkRate(records.rootOf(id));
		if (record?.parent !== undefined) await this.#deps.ready(record, context.signal);
		const turnId = await this.#deliver(id, message, relation, caller, context.signal);
		this.#note(turnId, chain);
		if (relation === 'below') this.#deps.reached(turnId, { turnId: caller.turnId, opId: context.opId });
		return relation === 'above' ? this.#reportAbove(id) : await answers.report(id, turnId, isWaitedFor, context);
	}

	/** Returns the other agents of its tree that live, besides those that work for it; nobody for a thread of the user. */
	async others(threadId: ThreadId): Promise<OpResult<'agent.list'>['others']> {
		const { records, views } = this.#deps;
		const above = records.ancestorsOf(threadId);
		const root = above.at(-1);
		if (root === undefined) return [];
		const isOther = (id: ThreadId) => id !== threadId && !records.ancestorsOf(id).includes(threadId);
		const beside = (await views.of(root)).filter(({ id, state }) => isOther(id) && state !== 'terminated');
		return [
			{ id: root, name: this.#nameOf(root), isAbove: true },
			...beside.map(({ id, name }) => ({ id, name, ...(above.includes(id) ? { isAbove: true as const } : {}) })),
		];
	}

	/** Throws NOT_FOUND for a thread of another tree. */
	#relationOf(id: ThreadId, of: ThreadId): Relation {
		const { records } = this.#deps;
		if (records.ancestorsOf(of).includes(id)) return 'above';
		if (records.of(id)?.parent === undefined || id === of || records.rootOf(id) !== records.rootOf(of)) {
			throw new ProwessError('NOT_FOUND', `there is no agent ${id} in this tree; agent_list shows them`, {
				id,
				said: text('This thread has no such sub-agent.'),
			});
		}
		return records.ancestorsOf(id).includes(of) ? 'below' : 'beside';
	}

	async #deliver(id: ThreadId, message: string, relation: Relation, caller: AgentCaller, signal: AbortSignal) {
		const peer = await this.#deps.server();
		const from = { id: caller.threadId, name: this.#nameOf(caller.threadId) };
		const sendWithin = (within: AbortSignal) =>
			relation === 'below'
				? peer.call(threadRequests.steer, { threadId: id, text: message }, within)
				: peer.call(threadRequests.tell, { threadId: id, text: message, from }, within);
		const isAgent = this.#deps.records.parentOf(id) !== undefined;
		return isAgent
			? await beginAgentTurn(this.#deps.watch, peer, id, sendWithin, caller.turnId, signal)
			: (await sendWithin(signal)).turnId;
	}

	/** Returns who has written until now, the caller last. Throws INVALID_STATE where the message has gone round too often. */
	#checkCircle(id: ThreadId, caller: AgentCaller): readonly ThreadId[] {
		const chain = [...(this.#chains.get(caller.turnId) ?? []), caller.threadId];
		const rounds = chain.filter((each) => each === id).length;
		if (rounds >= agentLimits.mailRounds) {
			const names = [...new Set(chain), id].map((each) => this.#nameOf(each)).join(', ');
			const message = `messages have gone round ${rounds} times between ${names}: go on with what you know, or say in your report what is open`;
			throw new ProwessError('INVALID_STATE', message, {
				id,
				rounds,
				said: text('Messages between these agents went round {n} times, so this one was not sent.', { n: rounds }),
			});
		}
		return chain;
	}

	#checkRate(root: ThreadId): void {
		const now = performance.now();
		const recent = (this.#sent.get(root) ?? []).filter((at) => now - at < 60_000);
		if (recent.length >= agentLimits.mailPerMinute) {
			const message = `the agents of this tree have sent ${recent.length} messages in a minute, of at most ${agentLimits.mailPerMinute}`;
			throw new ProwessError('RATE_LIMITED', message, { limit: agentLimits.mailPerMinute });
		}
		this.#sent.set(root, [...recent, now]);
	}

	#note(turnId: TurnId, chain: readonly ThreadId[]): void {
		const before = this.#chains.get(turnId) ?? [];
		this.#chains.delete(turnId);
		this.#chains.set(turnId, before.length > chain.length ? before : chain);
		const [oldest] = this.#chains.keys();
		if (oldest !== undefined && this.#chains.size > agentLimits.mailTurns) this.#chains.delete(oldest);
	}

	#reportAbove(id: ThreadId): AgentReport {
		const { records, views, watch } = this.#deps;
		const record = records.of(id);
		if (record !== undefined && isOfAgent(record)) {
			return { ...toReportHead(views.view(record)), answer: '', isAbove: true };
		}
		const { tokens = 0 } = watch.activityOf(id).used ?? {};
		return { id, name: this.#nameOf(id), state: 'running', outcome: null, answer: '', tokens, isAbove: true };
	}

	#nameOf(id: ThreadId): string {
		return this.#deps.records.of(id)?.name ?? 'main';
	}
}

/**
 * Has a turn of a sub-agent begin, or reaches the one that runs. The request has `beginMs`, whatever `signal` does: where it aborts
 * meanwhile, or the turn `by` is stopped with one above, the turn that it has begun ends as well, and this rejects.
 */
export async function beginAgentTurn(
	watch: Pick<AgentWatch, 'activityOf' | 'stopTurn' | 'wasStopped'>,
	server: Peer,
	threadId: ThreadId,
	sendWithin: (within: AbortSignal) => Promise<{ readonly turnId: TurnId }>,
	by: TurnId,
	signal: AbortSignal,
): Promise<TurnId> {
	const checkGoesOn = () => {
		signal.throwIfAborted();
		if (watch.wasStopped(by)) throw new ProwessError('CANCELLED', 'the agents of this thread were stopped');
	};
	checkGoesOn();
	const activity = watch.activityOf(threadId);
	const before = activity.turnId;
	const limit = { what: 'a turn of a sub-agent', timeoutMs: agentLimits.beginMs };
	const { turnId } = await withTimeLimit(limit, sendWithin);
	if (turnId === before) return turnId;
	activity.begin(turnId);
	try {
		checkGoesOn();
	} catch (error) {
		await watch.stopTurn(server, threadId);
		throw error;
	}
	return turnId;
}
