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
	tool: 'Send a message to a sub-agent of yours, or only wait for its report.',
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
		agents: z.array(SubAgentReport.omit({ answer: true }).extend({ task: z.string() })),
		/** Custom agents that there are. */
		kinds: z.array(z.object({ name: z.string(), description: z.string() })),
	}),
	risk: 'SAFE',
	effect: 'read',
	timeoutMs: 10_000,
	callers: ['agent', 'user'],
	tool: 'List your sub-agents, and the custom agents that can be started.',
	title: () => text('List sub-agents'),
	present: ({ agents, kinds }) =>
		[
			agents.map(({ task, ...agent }) => `${describeSubAgent(agent)}: ${shortenToLine(task)}`).join('\n') ||
				'There are no sub-agents.',
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

function describeSubAgent({ id, name, state, outcome, tokens }: Omit<AgentReport, 'answer' | 'cost'>): string {
	const end = outcome === null || state === 'running' ? '' : `, its last turn ${outcome}`;
	return `${name} (${id}) is ${state}${end}, ${tokens} tokens`;
}

function reportText(report: AgentReport): string {
	const { state, answer } = report;
	const rest = state === 'running' ? 'It goes on. Call agent_send with its id to wait for its report.' : answer;
	return `${describeSubAgent(report)}.\n\n${rest === '' ? 'It said nothing.' : rest}`;
}

function recordText(report: AgentReport): string {
	return `${describeSubAgent(report)}. ${shortenToLine(report.answer)}`;
}
