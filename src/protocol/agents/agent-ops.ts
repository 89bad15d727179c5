/** Ops on sub-agents: threads that an agent starts for a part of its work, with rights no wider than its own. */
import { shortenToLine } from '../../base/text/one-line.ts';
import * as z from '../text/zod.ts';
import { PermissionLevel } from '../ops/permission-level.ts';
import { ThreadId } from '../rpc/ids.ts';
import { defineOp } from '../ops/define-op.ts';
import { ModelName } from '../ops/definitions/agent/llm.ts';
import { TurnOutcome } from '../thread/thread.ts';
import { AgentBudget, AgentState } from './agent-view.ts';
import { text } from '../text/text.ts';

/** Characters of a task or of a message. */
const MAX_MESSAGE_CHARS = 100_000;

const SubAgentReport = z.object({
	id: z.string(),
	name: z.string(),
	state: AgentState,
	/** Outcome of its last turn; null: none has ended. */
	outcome: TurnOutcome.nullable(),
	/** Last words of it; empty while it runs. */
	answer: z.string(),
	tokens: z.int().nonnegative(),
	cost: z.number().nonnegative().optional(),
	/** Changes in a worktree of its own; absent: it works where its parent does, or runs. */
	worktree: z.object({ name: z.string(), files: z.int().nonnegative(), changes: z.string() }).optional(),
	/** The caller works for it: nobody waits for its answer. */
	isAbove: z.literal(true).optional(),
});
export type AgentReport = z.infer<typeof SubAgentReport>;

const agentMessage = z.string().trim().min(1).max(MAX_MESSAGE_CHARS);
const wait = z.boolean().default(true);
const agentOpTraits = {
	permission: 'thread',
	effect: 'interact',
	isRare: true,
	runsBeside: 'agents',
} as const;
/** Longest wait for the answer of another agent, as the settings say; then it goes on, and the answer is there when it asks again. */
const answerTimeLimit = {
	timeoutMs: 0,
	waitsFor: 'agent',
	limitMs: (_params: unknown, settingMs: number) => settingMs,
} as const;

export const agentSpawn = defineOp({
	...agentOpTraits,
	...answerTimeLimit,
	params: z.strictObject({
		/** All that it is told. */
		task: agentMessage,
		name: z.string().trim().min(1).max(60).optional(),
		/** Name of a custom agent. */
		agent: z.string().min(1).max(100).optional(),
		/** `ask` only reads. */
		mode: z.enum(['agent', 'ask']).optional(),
		level: PermissionLevel.optional(),
		/** Tools it may use, as `fs_read`; absent: all that its parent may. */
		tools: z.array(z.string().min(1).max(100)).max(200).optional(),
		model: ModelName.optional(),
		/** Has it work in a worktree of its own; agent_apply brings its work here; absent: as the settings or the custom agent say. */
		isolation: z.literal('worktree').optional(),
		budget: AgentBudget.default({}),
		/** False: the answer is its id at once. */
		wait,
	}),
	result: SubAgentReport,
	risk: 'MONITORED',
	callers: ['agent'],
	tool: 'Hand a part of the work to a sub-agent and wait for its report. It knows only the task. Several calls run side by side.',
	title: ({ task, name }) => text('Start sub-agent: {name}', { name: shortenToLine(name ?? task) }),
	present: reportText,
	record: recordText,
});

export const agentSend = defineOp({
	...agentOpTraits,
	...answerTimeLimit,
	params: z.strictObject({
		id: ThreadId,
		/** Absent: only waits for what it does now. */
		message: agentMessage.optional(),
		wait,
	}),
	result: SubAgentReport,
	risk: 'MONITORED',
	callers: ['agent'],
	tool: 'Send a message to a sub-agent of yours or to another agent of your tree, or only wait for its report. agent_list has their ids.',
	title: ({ id, message: words }) =>
		words === undefined
			? text('Wait for {id}', { id })
			: text('Tell {id}: {words}', { id, words: shortenToLine(words) }),
	present: reportText,
	record: recordText,
});

export const agentList = defineOp({
	...agentOpTraits,
	params: z.strictObject({}),
	result: z.object({
		agents: z.array(SubAgentReport.omit({ answer: true, worktree: true }).extend({ task: z.string() })),
		/** Other agents that work for the same thread of the user, and that thread; empty there. */
		others: z.array(z.object({ id: z.string(), name: z.string(), isAbove: z.literal(true).optional() })).default([]),
		/** Custom agents that there are. */
		kinds: z.array(z.object({ name: z.string(), description: z.string() })),
	}),
	risk: 'SAFE',
	effect: 'read',
	timeoutMs: 10_000,
	callers: ['agent', 'user'],
	tool: 'List your sub-agents, the other agents of your tree, and the custom agents that can be started.',
	title: () => text('List sub-agents'),
	present: ({ agents, others, kinds }) =>
		[
			agents.map(({ task, ...agent }) => `${describeSubAgent(agent)}: ${shortenToLine(task)}`).join('\n') ||
				'There are no sub-agents.',
			...others.map(
				({ id, name, isAbove }) =>
					`${name} (${id}) ${isAbove === true ? 'is an agent that you work for' : 'works beside you'}.`,
			),
			...kinds.map(({ name, description }) => `Custom agent "${name}": ${description}`),
		].join('\n'),
});

export const agentStop = defineOp({
	...agentOpTraits,
	params: z.strictObject({ id: ThreadId }),
	/** Ended sub-agents, with those that it had started. */
	result: z.object({ stopped: z.array(z.string()) }),
	risk: 'MONITORED',
	timeoutMs: 30_000,
	callers: ['agent', 'user'],
	tool: 'End a sub-agent of yours, with those it started.',
	title: ({ id }) => text('Stop sub-agent {id}', { id }),
	present: ({ stopped }) => (stopped.length === 0 ? 'It had ended.' : `Ended: ${stopped.join(', ')}`),
});

export const agentApply = defineOp({
	permission: 'workspace.write',
	effect: 'write',
	isRare: true,
	params: z.strictObject({
		id: ThreadId,
		/** Changed files to bring here; absent: all. */
		paths: z.array(z.string().min(1).max(4_096)).min(1).max(1_000).optional(),
	}),
	result: z.object({
		worktree: z.string(),
		written: z.array(z.string()),
		merged: z.array(z.string()),
		/** Left as they are here: both sides have changed the same lines. */
		conflicts: z.array(z.string()),
		/** Changed there, and not brought: submodules, and files outside of the folder. */
		elsewhere: z.array(z.string()),
	}),
	risk: 'CONTROLLED',
	timeoutMs: 120_000,
	callers: ['agent'],
	tool: 'Bring the changes of a sub-agent that works in its own worktree into this folder.',
	title: ({ id }) => text('Apply the changes of sub-agent {id}', { id }),
	present: ({ written, merged, conflicts, elsewhere }) =>
		[
			...written.map((path) => `Applied: ${path}`),
			...merged.map((path) => `Merged: ${path}`),
			...conflicts.map((path) => `Left alone: ${path}: this folder has another change of the same lines`),
			...elsewhere.map((path) => `Not applied: ${path} lies outside of the folder, or in a submodule`),
		].join('\n') || 'Nothing to apply: this folder has all its changes already.',
});

function describeSubAgent({
	id,
	name,
	state,
	outcome,
	tokens,
}: Pick<AgentReport, 'id' | 'name' | 'state' | 'outcome' | 'tokens'>): string {
	const end = outcome === null || state === 'running' ? '' : `, its last turn ${outcome}`;
	return `${name} (${id}) is ${state}${end}, ${tokens} tokens`;
}

function reportText(report: AgentReport): string {
	const { id, state, answer, worktree, isAbove } = report;
	if (isAbove === true) return `${report.name} (${id}) reads your message after the calls that it makes now. Go on.`;
	const rest = state === 'running' ? 'It goes on. Call agent_send with its id to wait for its report.' : answer;
	const work =
		worktree === undefined
			? ''
			: worktree.files === 0
				? `\n\nIt has changed nothing in its worktree.\n${worktree.changes}`.trimEnd()
				: `\n\nIt works in the worktree ${worktree.name}; nothing of this is in your folder. agent_apply with the id ${id} brings it.\n${worktree.changes}`;
	return `${describeSubAgent(report)}.\n\n${rest === '' ? 'It said nothing.' : rest}${work}`;
}

function recordText(report: AgentReport): string {
	return `${describeSubAgent(report)}. ${shortenToLine(report.answer)}`;
}
