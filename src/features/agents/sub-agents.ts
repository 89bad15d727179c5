/**
 * Sub-agents: threads that an agent has started. Their turns are those of any thread and run in the server; what they may do
 * is kept here and enforced in the gate. Each turn has exactly one end: of one that was killed, the next server tells it.
 */
import { cutText } from '../../base/text/one-line.ts';
import type { AgentReport } from '../../protocol/agents/agent-ops.ts';
import type { AgentView } from '../../protocol/agents/agent-view.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { newId, type OpId, type ThreadId, type TurnId } from '../../protocol/rpc/ids.ts';
import type { OpParams, OpResult } from '../../protocol/op-table/ops.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { text } from '../../protocol/text/text.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import { type AgentTurnOptions, threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { AgentCaller, Caller } from '../../contract/ops/caller.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import { type AgentRecord, type AgentRecords, narrowerMode } from '../../trust/gate/access/agent-records.ts';
import { opsOfTools } from './agent-tools.ts';
import type { CustomAgent, CustomAgents } from './custom/custom-agents.ts';
import { AgentAnswers, toReportHead } from './agent-answers.ts';
import type { AgentMail } from './agent-mail.ts';
import { AgentViews, isOfAgent } from './agent-views.ts';
import type { AgentWatch } from './agent-watch.ts';
import type { IsolatedAgents, PlannedApply } from './isolated-agents.ts';
import { agentLimits } from './limits.ts';

interface SubAgentsDeps {
	readonly records: AgentRecords;
	readonly watch: AgentWatch;
	/** Threads whose agent may ask this host for ops. */
	readonly begun: Set<ThreadId>;
	server(): Promise<Peer>;
	/** A turn of a sub-agent has begun, by that op of another turn. */
	startedBy(turnId: TurnId, op: { readonly turnId: TurnId; readonly opId: OpId }): void;
	/** In force. */
	modeOf(threadId: ThreadId): Mode;
	/** Custom agents. */
	readonly kinds: Pick<CustomAgents, 'agreed' | 'list'>;
	/** True when a model of that name is connected, or the name stands for one. */
	isModel(name: string): boolean;
	redact(text: string): string;
	readonly isolated: IsolatedAgents;
	/** Returns true when sub-agents work in worktrees of their own, as the settings say. */
	isIsolated(): boolean;
	/** Sub-agents of one thread of the user that may live at once, as the settings say. */
	most(): number;
	/** Lets go of what a deleted thread holds in this host. */
	letGo(threadId: ThreadId): Promise<void>;
	readonly log: Pick<LogPort, 'warn'>;
}

export class SubAgents {
	readonly #deps: SubAgentsDeps;
	readonly #views: AgentViews;
	readonly #answers: AgentAnswers;
	#keptMail: AgentMail | undefined;

	constructor(deps: SubAgentsDeps) {
		const { records, watch, server } = deps;
		this.#deps = deps;
		this.#views = new AgentViews({ records, watch });
		this.#answers = new AgentAnswers({
			records,
			watch,
			isolated: deps.isolated,
			server: () => server(),
			views: this.#views,
		});
	}

	/** Returns the title of the call that a thread, of an agent or of the user, makes now, where this host hears of it. */
	doing(threadId: ThreadId): string | undefined {
		return this.#deps.watch.doingOf(threadId);
	}

	get onDidChange() {
		return this.#deps.watch.onDidChange;
	}

	/** Throws INVALID_PARAMS for a tool that there is not. */
	checkTools(tools: readonly string[] | undefined): readonly string[] | undefined {
		if (tools === undefined) {
			return undefined;
		}
		const { ops, unknown } = opsOfTools(tools);
		if (unknown.length > 0) {
			throw new ProwessError('INVALID_PARAMS', `tools: there is no tool ${unknown.join(', ')}`, { unknown });
		}
		return ops;
	}

	async spawn(params: OpParams<'agent.spawn'>, context: OpContext): Promise<AgentReport> {
		const { records, watch, modeOf, begun, server } = this.#deps;
		const caller = requireAgentCaller(context.caller);
		const parent = caller.threadId;
		const { signal, opId } = context;
		const { task, agent, level, model, budget } = params;
		const wanted = this.checkTools(params.tools);
		await records.refresh(signal);
		if (records.ancestorsOf(parent).length >= agentLimits.levels) {
			const message = `sub-agents have at most ${agentLimits.levels} levels; do this part yourself`;
			throw new ProwessError('INVALID_STATE', message, {
				levels: agentLimits.levels,
				said: text('Sub-agents have at most {n} levels.', { n: agentLimits.levels }),
			});
		}
		await this.#makeRoom(records.rootOf(parent));
		const { kinds, redact, isModel, isolated, isIsolated } = this.#deps;
		const asker = { threadId: parent, waitForPerson: context.waitForPerson };
		const kind = agent === undefined ? undefined : await kinds.agreed(agent, asker, signal);
		const ops = intersectOps(wanted, kind?.ops === undefined ? undefined : opsOfTools(kind.ops).ops);
		const instructions = kind === undefined ? {} : { instructions: redact(kind.instructions), ...listOptions(kind) };
		const ofParent = modeOf(parent) === 'plan' ? 'ask' : modeOf(parent);
		const id = newId('thr');
		const at = new Date().toISOString();
		const name = params.name ?? kind?.name ?? cutText(task.replaceAll(/\s+/g, ' '), 40);
		const isAsked = params.isolation !== undefined || kind?.isIsolated === true;
		const worktree = isAsked || isIsolated() ? isolated.nameFor(id, name, parent, isAsked) : undefined;
		const record: AgentRecord = {
			id,
			parent,
			name,
			...(worktree === undefined ? {} : { worktree }),
			...(agent === undefined ? {} : { agent }),
			task,
			mode: narrowerMode(params.mode ?? 'agent', ofParent),
			...(level === undefined ? {} : { level }),
			...(ops === undefined ? {} : { ops: [...ops] }),
			// A model of theirs that is not connected leaves it with that of its parent.
			modelId: model ?? kind?.models.find(isModel) ?? null,
			budget,
			opId,
			createdAt: at,
			state: 'created',
			tokens: 0,
			changedAt: at,
		};
		await records.set(record, signal);
		watch.tell(records.rootOf(id));
		begun.add(id);
		let turnId: TurnId;
		try {
			const folder = await isolated.enter(record, signal);
			const peer = await server();
			const { modelId, mode } = record;
			const told = { parent, name, ...instructions, ...(ops === undefined ? {} : { ops: [...ops] }) };
			await peer.call(threadRequests.create, { threadId: id, modelId, mode, agent: told, folder }, signal);
			const sendWithin = (within: AbortSignal) =>
				peer.call(threadRequests.prompt, { threadId: id, text: task }, within);
			const { beginAgentTurn } = await import('./agent-mail.ts');
			turnId = await beginAgentTurn(watch, peer, id, sendWithin, caller.turnId, signal);
		} catch (error) {
			await watch.change(id, terminateRecord);
			await isolated.leave(record);
			throw error;
		}
		this.#deps.startedBy(turnId, { turnId: caller.turnId, opId });
		return await this.#answers.report(id, turnId, params.wait, context);
	}

	/**
	 * A thread of the user that follows a custom agent from its first message on: with its instructions and its tools only. Rejects
	 * as the consent to it does.
	 */
	async begin(agent: string, mode: Mode, modelId: string | null, signal: AbortSignal): Promise<ThreadId> {
		const { records, kinds, redact, isModel, server, isolated } = this.#deps;
		const asker = { threadId: null, waitForPerson: <T>(_reason: string, wait: () => Promise<T>) => wait() };
		const kind = await kinds.agreed(agent, asker, signal);
		const ops = kind.ops === undefined ? {} : { ops: [...opsOfTools(kind.ops).ops] };
		const id = newId('thr');
		const at = new Date().toISOString();
		const { name } = kind;
		const model = modelId ?? kind.models.find(isModel) ?? null;
		const times = { createdAt: at, changedAt: at };
		const used = { budget: {}, tokens: 0, state: 'suspended' as const };
		const named = kind.isIsolated === true ? isolated.nameFor(id, name, id, false) : undefined;
		const worktree = named === undefined ? {} : { worktree: named };
		await records.set(
			{
				id,
				name,
				agent: name,
				task: '',
				mode,
				...ops,
				modelId: model,
				opId: newId('op'),
				...worktree,
				...times,
				...used,
			},
			signal,
		);
		const folder = await isolated.enter({ id, ...worktree }, signal);
		const told = { name, instructions: redact(kind.instructions), ...ops, ...listOptions(kind) };
		const peer = await server();
		await peer.call(threadRequests.create, { threadId: id, modelId: model, mode, agent: told, folder }, signal);
		return id;
	}

	/** Name of the custom agent that a thread of the user follows. */
	followed(threadId: ThreadId): string | undefined {
		const record = this.#deps.records.of(threadId);
		return record?.parent === undefined ? record?.agent : undefined;
	}

	async send(params: OpParams<'agent.send'>, context: OpContext): Promise<AgentReport> {
		await this.#deps.records.refresh(context.signal);
		return await (await this.#mail()).send(params, requireAgentCaller(context.caller), context);
	}

	/** Plans to bring the changes of a sub-agent into the folder of its parent, without an effect. */
	async plan(
		{ id, paths }: OpParams<'agent.apply'>,
		{ caller, signal }: Pick<OpContext, 'caller' | 'signal'>,
	): Promise<PlannedApply> {
		await this.#deps.records.refresh(signal);
		return await this.#deps.isolated.plan(this.#ofCaller(id, caller), paths, signal);
	}

	async list(caller: Caller, signal: AbortSignal): Promise<OpResult<'agent.list'>> {
		await this.#deps.records.refresh(signal);
		const views = caller.threadId === null ? [] : await this.of(caller.threadId);
		const found = (await this.#deps.kinds.list()).filter(({ state }) => state !== 'unusable');
		const kinds = found.map(({ name, description }) => ({ name, description: cutText(description, 200) }));
		const agents = views.map((view) => ({ ...toReportHead(view), task: view.task }));
		const isOfTree = caller.threadId !== null && this.#deps.records.parentOf(caller.threadId) !== undefined;
		const others = isOfTree ? await (await this.#mail()).others(caller.threadId) : [];
		return { agents, others, kinds };
	}

	/** With all that it has started. */
	async stop(id: ThreadId, caller: Caller, signal: AbortSignal): Promise<OpResult<'agent.stop'>> {
		const { records, watch, server, isolated } = this.#deps;
		await records.refresh(signal);
		this.#ofCaller(id, caller);
		const all = await records.all();
		const ending = all.filter(
			(record) => record.state !== 'terminated' && (record.id === id || records.ancestorsOf(record.id).includes(id)),
		);
		for (const record of ending) {
			await watch.change(record.id, terminateRecord);
		}
		const running = ending.filter((record) => watch.activityOf(record.id).isRunning || record.state === 'running');
		if (running.length > 0) {
			const peer = await server();
			await Promise.all(running.map((record) => watch.stopTurn(peer, record.id)));
		}
		for (const record of ending) await isolated.leave(record);
		watch.tell(records.rootOf(id));
		return { stopped: ending.map((record) => record.id) };
	}

	/** Returns the sub-agents of a thread, and their sub-agents, oldest first. */
	of(threadId: ThreadId): Promise<AgentView[]> {
		return this.#views.of(threadId);
	}

	/** Returns the sub-agents of all threads of this home, oldest first. */
	all(): Promise<AgentView[]> {
		return this.#views.all();
	}

	/** The thread on whose page what it asks is shown. */
	rootOf(threadId: ThreadId): ThreadId {
		return this.#deps.records.rootOf(threadId);
	}

	/** True when `threadId` is a sub-agent that works for `other`, on whichever level. */
	worksFor(threadId: ThreadId, other: ThreadId): boolean {
		return this.#deps.records.ancestorsOf(threadId).includes(other);
	}

	/** The user writes in its thread: then it is no longer terminated. */
	wake(threadId: ThreadId): void {
		if (this.#deps.records.of(threadId)?.state === 'terminated') {
			const waking = this.#deps.watch.change(threadId, (record) => ({ ...record, state: 'suspended' }));
			waking.catch((error: unknown) => this.#deps.log.warn('a sub-agent was not woken', { error: String(error) }));
		}
	}

	/** Resolves when none of a thread's runs any more. */
	async settled(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		for (const { id } of await this.of(threadId)) {
			if (this.#deps.watch.activityOf(id).isRunning) {
				await this.#deps.watch.untilRest(id, undefined, () => {}, signal);
			}
		}
	}

	/** For a thread that the user has deleted: its sub-agents end, and their threads go with it. */
	async endThread(threadId: ThreadId): Promise<void> {
		const { records, watch, server, letGo, isolated } = this.#deps;
		const signal = new AbortController().signal;
		const ending = (await this.of(threadId)).reverse();
		for (const { id } of ending) {
			const record = records.of(id);
			await watch.change(id, terminateRecord);
			await (await server()).call(threadRequests.delete, { threadId: id }, signal).catch(() => {});
			await letGo(id);
			if (record !== undefined) await isolated.leave(record);
		}
		for (const id of [...ending.map((each) => each.id), threadId]) {
			watch.forget(id);
			await records.forget(id, signal);
		}
	}

	/** Loaded with the first message, or look around, of an agent. */
	async #mail(): Promise<AgentMail> {
		const { AgentMail: Mail } = await import('./agent-mail.ts');
		const { records, watch, begun, isolated, server, startedBy } = this.#deps;
		return (this.#keptMail ??= new Mail({
			records,
			watch,
			answers: this.#answers,
			views: this.#views,
			server,
			async ready(record, signal) {
				begun.add(record.id);
				// Makes its worktree again, where it is gone, because nothing was in it, or because the user has discarded it.
				if (record.state !== 'running') await isolated.enter(record, signal);
			},
			reached: startedBy,
		}));
	}

	/**
	 * Ends the sub-agent that has rested longest when too many live; the records are in the order in which they changed
	 * last. Rejects with INVALID_STATE when none rests.
	 */
	async #makeRoom(root: ThreadId): Promise<void> {
		const { records, watch } = this.#deps;
		const live = (await records.all()).filter(
			(record) => isOfAgent(record) && record.state !== 'terminated' && records.rootOf(record.id) === root,
		);
		const most = this.#deps.most();
		if (live.length < most) {
			return;
		}
		const resting = live.find((record) => record.state === 'suspended');
		if (resting === undefined) {
			const message = `${live.length} sub-agents are at work, of at most ${most}; wait for one, or end one with agent_stop`;
			throw new ProwessError('INVALID_STATE', message, {
				live: live.length,
				most,
				setting: 'prowess.agent.limits',
				said: text('{n} sub-agents are at work, of at most {most}.', { n: live.length, most }),
			});
		}
		await watch.change(resting.id, terminateRecord);
		await this.#deps.isolated.leave(resting);
	}

	#ofCaller(id: ThreadId, caller: Caller): AgentRecord {
		const { records } = this.#deps;
		const record = records.of(id);
		const isTheirs = caller.kind === 'user' || (caller.threadId !== null && this.worksFor(id, caller.threadId));
		if (record?.parent === undefined || !isTheirs) {
			throw new ProwessError('NOT_FOUND', `there is no sub-agent ${id} of this thread; agent_list shows them`, {
				id,
				said: text('This thread has no such sub-agent.'),
			});
		}
		return record;
	}
}

/** Undefined stands for all. */
function intersectOps(
	one: readonly string[] | undefined,
	other: readonly string[] | undefined,
): readonly string[] | undefined {
	return one === undefined || other === undefined ? (one ?? other) : one.filter((op) => other.includes(op));
}

function terminateRecord(record: AgentRecord): AgentRecord {
	return { ...record, state: 'terminated', changedAt: new Date().toISOString() };
}

function requireAgentCaller(caller: Caller): AgentCaller {
	if (caller.kind !== 'agent') {
		throw new ProwessError('INVALID_STATE', 'sub-agents are started by agents');
	}
	return caller;
}

function listOptions({ options = {} }: Pick<CustomAgent, 'options'>): { readonly options?: AgentTurnOptions } {
	return Object.keys(options).length === 0 ? {} : { options };
}
