/**
 * A sub-agent as it is told: host ↔ page, CLI. A sub-agent is a thread with a parent, so its id is that of its thread. The host
 * keeps it; neither a server nor a page can change what it may do.
 */
import * as z from '../text/zod.ts';
import { OpId, ThreadId } from '../rpc/ids.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';
import { type Text, text } from '../text/text.ts';
import { Mode, TurnOutcome } from '../thread/thread.ts';

/**
 * `created`: it has not begun. `running`: a turn of it runs. `suspended`: it rests, and a message wakes it. `terminated`: no
 * agent wakes it any more; the user still may.
 */
export const AgentState = z.enum(['created', 'running', 'suspended', 'terminated']);
export type AgentState = z.infer<typeof AgentState>;

const AGENT_STATES: { readonly [S in AgentState]: Text } = {
	created: text('Created'),
	running: text('Running'),
	suspended: text('Suspended'),
	terminated: text('Terminated'),
};

/** Says how it is: how its last turn ended where it rests, because that is what a person wants to know. */
export function agentStateInWords({ state, outcome }: Pick<AgentView, 'state' | 'outcome'>): Text {
	const rests = state === 'suspended' || state === 'terminated';
	return rests && outcome !== undefined ? AGENT_ENDS[outcome] : AGENT_STATES[state];
}

const AGENT_ENDS: { readonly [O in TurnOutcome]: Text } = {
	done: text('Done'),
	failed: text('Failed'),
	stopped: text('Stopped'),
	interrupted: text('Interrupted'),
};

/** Limits of all requests of a sub-agent and of those that it starts. */
export const AgentBudget = z.strictObject({
	/** In and out. */
	tokens: z.int().positive().max(1_000_000_000).optional(),
	dollars: z.number().positive().max(1_000_000).optional(),
});
export type AgentBudget = z.infer<typeof AgentBudget>;

export const AgentView = z.object({
	id: ThreadId,
	parent: ThreadId,
	name: z.string(),
	/** Custom agent that it is of; absent: of none. */
	agent: z.string().optional(),
	task: z.string(),
	state: AgentState,
	/** End of its last turn; absent while the first one runs. */
	outcome: TurnOutcome.optional(),
	mode: Mode,
	/** Null: that of its parent. */
	modelId: z.string().nullable(),
	/** The call that started it, where its card is. */
	opId: OpId,
	/** Title of the call that runs now. */
	doing: z.string().optional(),
	/** A call of it waits for the user's answer. */
	isWaiting: z.boolean().optional(),
	/** In and out. */
	tokens: z.int().nonnegative(),
	/** US dollars; absent: no price is known. */
	cost: z.number().nonnegative().optional(),
	budget: AgentBudget,
	/** 1: its parent is a thread of the user. */
	level: z.int().positive(),
	createdAt: z.iso.datetime(),
	/** When its state changed last. */
	changedAt: z.iso.datetime().optional(),
});
export type AgentView = z.infer<typeof AgentView>;

/** A hand-off, which the author of a custom agent offers after an answer: a prompt for another custom agent. */
export const HandOff = z.object({
	/** On the button. */
	label: z.string().trim().min(1).max(200),
	/** Name of the other custom agent. */
	agent: z.string().trim().min(1).max(100),
	prompt: z.string().max(20_000).default(''),
	/** The prompt is sent when the user chooses it; else it stands in the composer. */
	send: z.boolean().default(false),
});
export type HandOff = z.infer<typeof HandOff>;

export const agentRequests = {
	/** Hand-offs of the custom agent that a thread follows, as its file says now. */
	handOffs: defineRequest(
		'agents/handOffs',
		z.object({ threadId: ThreadId }),
		z.object({ handOffs: z.array(HandOff) }),
	),
	/** Begins a thread that follows the other agent, with the prompt. Named by its place in the list, so no page makes one up. */
	handOff: defineRequest('agents/handOff', z.object({ threadId: ThreadId, at: z.int().nonnegative() }), z.object({})),
	/** Sub-agents of a thread, and theirs, oldest first. */
	list: defineRequest('agents/list', z.object({ threadId: ThreadId }), z.object({ agents: z.array(AgentView) })),
	/** Terminates one that belongs to the thread on the screen, and those that it has started. The user's own act. */
	stop: defineRequest('agents/stop', z.object({ id: ThreadId }), z.object({})),
} as const;

export const agentNotifications = {
	/** Sub-agents of a thread of the user, all levels, as they are now. */
	changed: defineNotification('agents/changed', z.object({ threadId: ThreadId, agents: z.array(AgentView) })),
} as const;
