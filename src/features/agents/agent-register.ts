/** Sub-agents in the hands of the user: looked at, and ended as their own act, in the ledger. */
import type { HandOff } from '../../protocol/agents/agent-view.ts';
import type { OpId, ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { AgentRecords } from '../../trust/gate/access/agent-records.ts';
import type { PersonDesk } from '../../trust/gate/approvals/desk.ts';
import type { ThreadModes } from '../../trust/gate/policy/levels/thread-modes.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import { AgentWatch } from './agent-watch.ts';
import type { AgentFile } from './custom/agent-files.ts';
import { type CustomAgent, CustomAgents } from './custom/custom-agents.ts';
import { type AgentWorktrees, IsolatedAgents } from './isolated-agents.ts';
import { agentLimits } from './limits.ts';
import { SubAgents } from './sub-agents.ts';
import { recordUserAct } from '../../trust/record/ledger/user-act.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';

export interface AgentRegister extends Pick<
	SubAgents,
	'of' | 'all' | 'doing' | 'begin' | 'rootOf' | 'worksFor' | 'settled' | 'onDidChange'
> {
	/** With all that it has started; resolves with those that were ended. Rejects with NOT_FOUND. */
	stop(id: ThreadId, signal: AbortSignal): Promise<readonly string[]>;
	/** Custom agents, as their files are now. */
	custom(): Promise<readonly CustomAgent[]>;
	/**
	 * Returns hand-offs of the custom agent that a thread of the user follows, to agents that exist. Empty once its
	 * file differs from the content that the user consented to, and once that consent is revoked.
	 */
	handOffs(threadId: ThreadId): Promise<readonly HandOff[]>;
	/** Agrees to what a file says now. Rejects with NOT_FOUND and INVALID_STATE. */
	allow(path: string, signal: AbortSignal): Promise<void>;
	/** False when it was not agreed to. */
	revoke(path: string, signal: AbortSignal): Promise<boolean>;
}

interface AgentRegisterDeps {
	readonly agents: SubAgents;
	readonly customAgents: CustomAgents;
	readonly ledger: Pick<LedgerPort, 'append'>;
}

interface AgentParts {
	readonly ports: HostPorts;
	readonly desk: PersonDesk;
	readonly redactor: Redactor;
	readonly records: AgentRecords;
	readonly begun: Set<ThreadId>;
	readonly modes: ThreadModes;
	/** A turn of a sub-agent has begun, by that op of another turn. */
	startedBy(turnId: TurnId, op: { readonly turnId: TurnId; readonly opId: OpId }): void;
	/** Files of agents that plugins bring. */
	plugins(): Promise<readonly AgentFile[]>;
	/** The thread of an agent is no longer needed. */
	letGo(threadId: ThreadId): Promise<void>;
	worktrees(): Promise<AgentWorktrees>;
	/** Name of the worktree that a thread works in. */
	worktreeOf(threadId: ThreadId): string | undefined;
	/** Name of a new worktree. */
	nameWorktree(words: string, id: ThreadId): string;
}

/** Creates sub-agents, the kinds of them that there are, and what follows each. */
export function createAgents(parts: AgentParts) {
	const {
		ports,
		desk,
		redactor,
		records,
		begun,
		modes,
		plugins,
		startedBy,
		letGo,
		worktrees,
		worktreeOf,
		nameWorktree,
	} = parts;
	const { settings, log, workspace } = ports;
	const redact = (text: string) => redactor.redact(text);
	const agentWatch = new AgentWatch({ records, log });
	const customAgents = new CustomAgents({ ports, desk, redact, plugins });
	const agents = new SubAgents({
		records,
		watch: agentWatch,
		kinds: customAgents,
		redact,
		isModel(name) {
			const { 'prowess.providers': providers, 'prowess.models.aliases': aliases } = settings.current;
			return Object.hasOwn(aliases, name) || providers.some(({ id }) => name.startsWith(`${id}/`));
		},
		begun,
		server: () => ports.server(),
		modeOf: (threadId) => modes.of(threadId),
		startedBy,
		isolated: new IsolatedAgents({
			worktrees,
			nameAfter: nameWorktree,
			isBeside: (threadId) => workspace.origin !== undefined || worktreeOf(threadId) !== undefined,
			log,
		}),
		most: () => settings.current['prowess.agent.limits'].subAgents ?? agentLimits.live,
		isIsolated: () => settings.current['prowess.worktrees'].isolation?.agents === 'worktree',
		letGo,
		log,
	});
	return { agentWatch, customAgents, agents };
}

export function agentRegister({ agents, customAgents, ledger }: AgentRegisterDeps): AgentRegister {
	return {
		of: (threadId) => agents.of(threadId),
		all: () => agents.all(),
		doing: (threadId) => agents.doing(threadId),
		begin: (agent, mode, modelId, signal) => agents.begin(agent, mode, modelId, signal),
		rootOf: (threadId) => agents.rootOf(threadId),
		worksFor: (threadId, other) => agents.worksFor(threadId, other),
		settled: (threadId, signal) => agents.settled(threadId, signal),
		onDidChange: agents.onDidChange,
		custom: () => customAgents.list(),
		async handOffs(threadId) {
			const name = agents.followed(threadId);
			const all = name === undefined ? [] : await customAgents.list();
			const followed = all.find(
				(agent) => agent.name === name && agent.state !== 'changed' && agent.isRevoked !== true,
			);
			const isThere = (wanted: string) => all.some((agent) => agent.name === wanted && agent.state !== 'unusable');
			return (followed?.handOffs ?? []).filter(({ agent }) => isThere(agent));
		},
		async allow(path, signal) {
			const act = { op: 'agent.allow', input: `Allow the custom agent ${path}`, params: { path } } as const;
			const describeAllowed = ({ name, hash }: CustomAgent) => `allowed ${name}, content ${hash}`;
			await recordUserAct(ledger, act, describeAllowed, () => customAgents.allow(path, signal));
		},
		revoke: (path, signal) =>
			recordUserAct(
				ledger,
				{ op: 'agent.revoke', input: `Revoke the custom agent ${path}`, params: { path } },
				(was) => (was ? 'revoked' : 'it was not allowed'),
				() => customAgents.revoke(path, signal),
			),
		async stop(id, signal) {
			const act = {
				op: 'agent.stop',
				input: `Stop sub-agent ${id}`,
				params: { id },
				threadId: agents.rootOf(id),
			} as const;
			const { stopped } = await recordUserAct(
				ledger,
				act,
				(done) => `ended: ${done.stopped.join(', ') || 'none'}`,
				() => agents.stop(id, { kind: 'user', threadId: null }, signal),
			);
			return stopped;
		},
	};
}
