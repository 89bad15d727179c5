/** Reports on a sub-agent to another agent: its state and its last words, awaited where the caller wishes. */
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { AgentReport } from '../../protocol/agents/agent-ops.ts';
import type { AgentView } from '../../protocol/agents/agent-view.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { text } from '../../protocol/text/text.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import type { AgentRecords } from '../../trust/gate/access/agent-records.ts';
import { type AgentViews, isOfAgent } from './agent-views.ts';
import type { AgentWatch } from './agent-watch.ts';
import type { IsolatedAgents } from './isolated-agents.ts';
import { agentLimits } from './limits.ts';

interface AgentAnswersDeps {
	readonly records: AgentRecords;
	readonly watch: AgentWatch;
	readonly views: AgentViews;
	readonly isolated: Pick<IsolatedAgents, 'report'>;
	server(): Promise<Peer>;
}

export class AgentAnswers {
	readonly #deps: AgentAnswersDeps;
	/** Agents waited for, by the one that waits. */
	readonly #awaited = new Map<ThreadId, readonly ThreadId[]>();

	constructor(deps: AgentAnswersDeps) {
		this.#deps = deps;
	}

	/** True while an agent waits for the other, or for one that does. */
	isAwaited(id: ThreadId, by: ThreadId): boolean {
		const isWaiting = (each: ThreadId, seen: readonly ThreadId[]): boolean =>
			(this.#awaited.get(each) ?? []).some(
				(next) => next === id || (!seen.includes(next) && isWaiting(next, [...seen, next])),
			);
		return isWaiting(by, [by]);
	}

	/** Throws NOT_FOUND where it was deleted meanwhile. */
	async report(
		id: ThreadId,
		turnId: TurnId | undefined,
		isWaitedFor: boolean,
		context: OpContext,
	): Promise<AgentReport> {
		const { threadId } = context.caller;
		// The other may have begun to wait while the message was on its way.
		if (isWaitedFor && (threadId === null || !this.isAwaited(threadId, id))) {
			const listAwaited = () => (threadId === null ? [] : (this.#awaited.get(threadId) ?? []));
			if (threadId !== null) this.#awaited.set(threadId, [...listAwaited(), id]);
			try {
				await this.#wait(id, turnId, context);
			} finally {
				const left = listAwaited().toSpliced(listAwaited().indexOf(id), 1);
				if (threadId !== null && left.length > 0) this.#awaited.set(threadId, left);
				else if (threadId !== null) this.#awaited.delete(threadId);
			}
		}
		await this.#deps.watch.settled();
		const record = this.#deps.records.of(id);
		if (record === undefined || !isOfAgent(record)) {
			throw new ProwessError('NOT_FOUND', `the sub-agent ${id} was deleted`, {
				id,
				said: text('This sub-agent was deleted.'),
			});
		}
		const view = this.#deps.views.view(record);
		if (view.state === 'running') return { ...toReportHead(view), answer: '' };
		const answer = await this.#answerOf(id, context.signal);
		const worktree = await this.#deps.isolated.report(record, context.signal);
		return { ...toReportHead(view), answer, ...(worktree === undefined ? {} : { worktree }) };
	}

	/** Until its turn ends, at most as long as one agent waits for another. A person who is asked is not hurried. */
	async #wait(id: ThreadId, turnId: TurnId | undefined, context: OpContext): Promise<void> {
		const limit = deriveSignal(context.signal, { what: 'the answer of a sub-agent', timeoutMs: context.limitMs });
		let answered: (() => void) | undefined;
		const onWaiting = (isWaiting: boolean) => {
			answered?.();
			answered = undefined;
			if (isWaiting) {
				limit.pause();
				const over = new Promise<void>((resolve) => (answered = resolve));
				void context.waitForPerson('a sub-agent asks', () => over);
			} else {
				limit.resume();
			}
		};
		try {
			await this.#deps.watch.untilRest(id, turnId, onWaiting, limit.signal);
		} catch (error) {
			context.signal.throwIfAborted();
			if (!limit.signal.aborted) throw error;
		} finally {
			answered?.();
			limit.dispose();
		}
	}

	/**
	 * Returns the last words of the agent's last turn, or else the notice that says why there are none; empty without
	 * either.
	 */
	async #answerOf(threadId: ThreadId, signal: AbortSignal): Promise<string> {
		const peer = await this.#deps.server();
		const { items } = await peer.call(threadRequests.open, { threadId, items: agentLimits.answerItems }, signal);
		const last = items.findLast((item) => item.kind === 'text' && item.text !== '');
		const turn = items.at(-1)?.turnId;
		if (last?.kind === 'text' && last.turnId === turn) {
			return last.text;
		}
		const notice = items.findLast((item) => item.kind === 'notice' && item.turnId === turn);
		return notice?.kind === 'notice' ? notice.text : '';
	}
}

export function toReportHead({ id, name, state, outcome, tokens, cost }: AgentView): Omit<AgentReport, 'answer'> {
	const used = { tokens, ...(cost === undefined ? {} : { cost }) };
	return { id, name, state, outcome: state === 'running' ? null : (outcome ?? null), ...used };
}
