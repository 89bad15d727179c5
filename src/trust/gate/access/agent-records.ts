/**
 * Sub-agents as this home keeps them: whose they are and what they may do. The gate goes by this file, which no op, server or
 * page reaches: so a sub-agent has no more rights than the thread that started it, also after a restart.
 */
import * as z from '../../../protocol/text/zod.ts';
import { AgentBudget } from '../../../protocol/agents/agent-view.ts';
import { OpId, ThreadId } from '../../../protocol/rpc/ids.ts';
import { PermissionLevel, pickNarrowerLevel } from '../../../protocol/ops/permission-level.ts';
import { text } from '../../../protocol/text/text.ts';
import { Mode, TurnOutcome } from '../../../protocol/thread/thread.ts';
import type { Lineage } from '../../../contract/lineage.ts';
import type { LogPort } from '../../../contract/ports/ports.ts';
import { KeptPerThread } from '../policy/levels/kept-per-thread.ts';

/** Modes, least first: Plan may ask for what Ask may, and for a yes to a plan. */
const MODES: readonly Mode[] = ['ask', 'plan', 'agent'];

const AgentRecord = z.object({
	id: ThreadId,
	/** Absent: of the user's own thread, which follows a custom agent. */
	parent: ThreadId.optional(),
	name: z.string(),
	agent: z.string().optional(),
	task: z.string(),
	mode: Mode,
	/** No wider one, whatever its parent has; absent: that of the parent. */
	level: PermissionLevel.optional(),
	/** Absent: those of its parent. */
	ops: z.array(z.string()).optional(),
	modelId: z.string().nullable(),
	budget: AgentBudget,
	opId: OpId,
	/** Name of the worktree that it works in; absent: it works where its parent does. */
	worktree: z.string().optional(),
	createdAt: z.iso.datetime(),
	state: z.enum(['created', 'running', 'suspended', 'terminated']),
	outcome: TurnOutcome.optional(),
	/** Used until its last turn ended. */
	tokens: z.int().nonnegative(),
	cost: z.number().nonnegative().optional(),
	/** When its state changed last. */
	changedAt: z.iso.datetime(),
});
export type AgentRecord = z.infer<typeof AgentRecord>;

/** Nobody is deeper, so a file that somebody has bent leads nowhere. */
const MAX_AGENT_ANCESTORS = 16;

export class AgentRecords implements Lineage {
	readonly #kept: KeptPerThread<AgentRecord>;

	constructor({ home, log }: { readonly home: string; readonly log: Pick<LogPort, 'warn'> }) {
		this.#kept = new KeptPerThread({
			home,
			file: 'agents.json',
			entry: AgentRecord,
			consequence: text('agents only read'),
			misfit: 'this sub-agent cannot be kept',
			log,
		});
	}

	/** Returns the record that the last `refresh` found. */
	of(threadId: ThreadId): AgentRecord | undefined {
		return this.#kept.of(threadId);
	}

	parentOf(threadId: ThreadId): ThreadId | undefined {
		return this.of(threadId)?.parent;
	}

	/** From its parent up to the user's own thread. */
	ancestorsOf(threadId: ThreadId): readonly ThreadId[] {
		const found: ThreadId[] = [];
		for (let next = this.parentOf(threadId); next !== undefined; next = this.parentOf(next)) {
			if (found.length >= MAX_AGENT_ANCESTORS || found.includes(next)) break;
			found.push(next);
		}
		return found;
	}

	rootOf(threadId: ThreadId): ThreadId {
		return this.ancestorsOf(threadId).at(-1) ?? threadId;
	}

	/** Returns the ops that all lists of the agent and of those it works for have; undefined: none of them has a list. */
	opsOf(threadId: ThreadId): ReadonlySet<string> | undefined {
		const lists = [threadId, ...this.ancestorsOf(threadId)].flatMap((id) => {
			const ops = this.of(id)?.ops;
			return ops === undefined ? [] : [new Set(ops)];
		});
		const [first, ...others] = lists;
		return first === undefined ? undefined : new Set([...first].filter((op) => others.every((list) => list.has(op))));
	}

	endOf(threadId: ThreadId): string | undefined {
		const ended = [threadId, ...this.ancestorsOf(threadId)].find((id) => this.of(id)?.state === 'terminated');
		return ended === undefined ? undefined : `the sub-agent ${ended} was terminated`;
	}

	get problem(): string | undefined {
		return this.#kept.problem;
	}

	async refresh(signal: AbortSignal): Promise<void> {
		await this.#kept.refresh(signal);
	}

	/** In the order in which they changed last. Rejects with INVALID_STATE when the file cannot be read. */
	async all(): Promise<readonly AgentRecord[]> {
		return await this.#kept.all();
	}

	/** Rejects with INVALID_STATE when the file cannot be read. */
	async set(record: AgentRecord, signal: AbortSignal): Promise<void> {
		await this.#kept.set(record, signal);
	}

	/** Changes the record that is in the file; does nothing when there is none. Rejects as `set` does. */
	async change(threadId: ThreadId, change: (record: AgentRecord) => AgentRecord, signal: AbortSignal): Promise<void> {
		await this.#kept.change(threadId, change, signal);
	}

	/** For a thread that is gone. Rejects as `set` does. */
	async forget(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		await this.#kept.forget(threadId, signal);
	}
}

/** Mode of a sub-agent, narrowed to that of its parent. */
export function narrowerMode(one: Mode, other: Mode): Mode {
	return MODES.indexOf(one) < MODES.indexOf(other) ? one : other;
}

/** Level of a sub-agent, narrowed to that of its parent. `own`: of the sub-agent; undefined: that of its parent. */
export function narrowedLevel(own: PermissionLevel | undefined, ofParent: PermissionLevel): PermissionLevel {
	return own === undefined ? ofParent : pickNarrowerLevel(own, ofParent);
}
