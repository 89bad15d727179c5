/** Parts of a host that an agent plans, asks and remembers with, and has others work with. */
import type { GivenWords } from '../../contract/approvals.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import type { UserWords } from '../../execution/runs/start/user-words.ts';
import type { SubAgents } from '../../features/agents/sub-agents.ts';
import type { Goals } from '../../features/goal/goals.ts';
import type { Memories } from '../../features/memory/memories.ts';
import type { ModelAccess } from '../../features/models/model-access.ts';
import type { Schedules } from '../../features/schedule/schedules.ts';
import type { Scripts } from '../../features/script/scripts.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { PauseWish } from '../../protocol/thread/message/user-wishes.ts';
import type { PersonDesk } from '../../trust/gate/approvals/desk.ts';
import type { Modes } from '../../trust/gate/policy/levels/mode-register.ts';

/** Rejects with DENIED_BY_USER or APPROVAL_EXPIRED when there is no answer. `server`: MCP server that asks; absent: the caller does. */
type AskUser = (
	question: string,
	options: readonly string[],
	context: OpContext,
	server?: string,
) => Promise<GivenWords>;

export interface AgentDeps {
	readonly askUser: AskUser;
	readonly models: ModelAccess;
	readonly memories: Pick<Memories, 'check' | 'note' | 'recall' | 'get' | 'forget'>;
	readonly schedules: Pick<Schedules, 'check' | 'add' | 'here' | 'pause' | 'resume' | 'get'>;
	/** True when the user asked for exactly this pause or resumption in the last message of the caller's thread. */
	isPausedByUser(caller: Caller, wish: PauseWish): boolean;
	readonly scripts: Pick<Scripts, 'read' | 'run'>;
	readonly goals: Pick<Goals, 'folder' | 'check' | 'add' | 'start' | 'judge'>;
	readonly agents: Pick<SubAgents, 'checkTools' | 'spawn' | 'send' | 'list' | 'stop' | 'plan'>;
	/** Puts a thread into the mode Agent: the user has approved its plan. */
	beginWork(threadId: ThreadId, signal: AbortSignal): Promise<void>;
}

interface AgentOpParts extends Omit<AgentDeps, 'askUser' | 'isPausedByUser' | 'beginWork'> {
	readonly desk: PersonDesk;
	readonly words: UserWords;
	readonly threadModes: Modes;
}

export function createAgentDeps(parts: AgentOpParts): AgentDeps {
	const { desk, words, threadModes, models, memories, schedules, scripts, goals, agents } = parts;
	return {
		models,
		memories,
		schedules,
		scripts,
		goals,
		agents,
		askUser: (question, options, { opId, caller, isOurs, signal }, server) => {
			const asker = server === undefined ? { ...(isOurs && { isOurs }) } : { server };
			return desk.question({ opId, threadId: caller.threadId, question, options, ...asker }, signal);
		},
		isPausedByUser: (caller, wish) => words.wantPaused(caller, wish),
		beginWork: (threadId, signal) => threadModes.set(threadId, 'agent', signal),
	};
}
