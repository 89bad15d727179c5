/** Parts that the ops are made of; the trusted base composes them once. */
import type { ThreadId } from '../protocol/ids.ts';
import type { PauseWish, CapabilitySwitchWish } from '../protocol/thread/message/user-wishes.ts';
import type { WebSearch } from '../protocol/ops/definitions/network/web.ts';
import type { Goals } from '../features/goal/goals.ts';
import type { Scripts } from '../features/script/scripts.ts';
import type { Schedules } from '../features/schedule/schedules.ts';
import type { SubAgents } from '../features/agents/sub-agents.ts';
import type { CodeIndex } from '../features/code-index/code-index.ts';
import type { CapabilityManager } from '../execution/runs/capability-manager.ts';
import type { Newcomers } from '../catalog/registry/offer/newcomers.ts';
import type { HardenedGit } from '../machine/git/hardened-git.ts';
import type { McpServers } from '../execution/mcp/mcp-servers.ts';
import type { McpReading } from '../execution/mcp/offers/mcp-reading.ts';
import type { Memories } from '../features/memory/memories.ts';
import type { ModelAccess } from '../features/models/model-access.ts';
import type { WorkspacePaths } from '../machine/paths/workspace-paths.ts';
import type { NamedDatabases, Caller, OwnFolders } from '../contract/ops/caller.ts';
import type { PermissionsNow } from '../contract/permissions-now.ts';
import type { DocumentPort, EditorPort } from '../contract/ports/ports.ts';
import type { WorkspaceSweeps } from '../machine/sweep/workspace-sweeps.ts';
import type { WorkspaceSearch } from '../machine/search/workspace-search.ts';
import type { CommandWall } from '../machine/sandbox/command-wall.ts';
import type { CommandRunner } from '../machine/shell/command-runner.ts';
import type { SecretVault } from '../machine/secrets/secret-vault.ts';
import type { SqlRunner } from '../machine/sql/sql-runner.ts';
import type { BeforeImages } from '../contract/ops/before-images.ts';
import type { OpContext } from '../contract/ops/op-implementation.ts';
import type { McpSampling } from './agent/mcp-sampling.ts';
import type { CommandConnections } from './commands/command-connections.ts';
import type { CookieJars } from '../machine/http/cookie-jar.ts';
import type { Resolve } from '../machine/http/resolve-host.ts';

/** Rejects with DENIED_BY_USER or APPROVAL_EXPIRED when there is no answer. `server`: MCP server that asks; absent: the caller does. */
type AskUser = (question: string, options: readonly string[], context: OpContext, server?: string) => Promise<string>;

interface HttpDeps {
	/** `prowess.http.allowHosts`, as it is now. */
	allowedHosts(): readonly string[];
	readonly resolve: Resolve;
	readonly cookies: CookieJars;
}

interface PlacesDeps {
	/** PROWESS_HOME, and the user's own folder; both absolute. */
	readonly home: string;
	readonly userHome: string;
}

export interface OpDeps {
	readonly paths: WorkspacePaths;
	readonly documents: DocumentPort;
	readonly editor: EditorPort | undefined;
	readonly beforeImages: BeforeImages;
	readonly askUser: AskUser;
	readonly commands: CommandRunner;
	/** Sandbox of commands. */
	readonly wall: Pick<CommandWall, 'isPlaceholder'>;
	/** Finds what commands change by themselves; absent: nobody looks. */
	readonly sweeps?: Pick<WorkspaceSweeps, 'before' | 'prepare'> | undefined;
	readonly places: PlacesDeps;
	readonly search: WorkspaceSearch;
	readonly codeIndex: Pick<CodeIndex, 'find'>;
	readonly git: HardenedGit;
	readonly http: HttpDeps;
	/** `prowess.web.search`, as it is now. */
	webSearch(): WebSearch;
	readonly connections: CommandConnections;
	readonly secrets: SecretVault;
	readonly sql: SqlRunner;
	/** `prowess.databases`, as it is now. */
	databases(): NamedDatabases;
	readonly capabilities: Pick<
		CapabilityManager,
		| 'available'
		| 'offered'
		| 'usedHere'
		| 'find'
		| 'load'
		| 'bodyOf'
		| 'start'
		| 'waitOrStop'
		| 'wait'
		| 'stop'
		| 'info'
		| 'listFor'
	>;
	readonly newcomers: Pick<Newcomers, 'since'>;
	readonly mcp: Pick<McpServers, 'listings' | 'known' | 'named' | 'call'>;
	readonly mcpSampling: Pick<McpSampling, 'askerFor' | 'implementation'>;
	readonly mcpReading: Pick<McpReading, 'list' | 'isListed' | 'read' | 'prompt'>;
	readonly memories: Pick<Memories, 'check' | 'note' | 'recall' | 'get' | 'forget'>;
	/** True when the user wrote this address of a resource in the last message of the caller's thread. */
	isResourceNamedByUser(caller: Caller, server: string, uri: string): boolean;
	/** True when the user asked for exactly this switch in the last message of the caller's thread. */
	isSwitchedByUser(caller: Caller, wish: CapabilitySwitchWish): boolean;
	switchCapability(
		wish: CapabilitySwitchWish,
		signal: AbortSignal,
	): Promise<{ readonly type: string; readonly name: string }>;
	/** True when the user named the capability in the last message of the caller's thread. */
	isNamedByUser(caller: Caller, capability: { readonly type: string; readonly name: string }): boolean;
	ownFolders(caller: Caller, signal: AbortSignal): Promise<OwnFolders>;
	/** True when skills leave the caller the right to run capabilities. */
	mayRun(caller: Caller, signal: AbortSignal): Promise<boolean>;
	readonly models: ModelAccess;
	readonly schedules: Pick<Schedules, 'check' | 'add' | 'here' | 'pause' | 'resume' | 'get'>;
	/** True when the user asked for exactly this pause or resumption in the last message of the caller's thread. */
	isPausedByUser(caller: Caller, wish: PauseWish): boolean;
	readonly scripts: Pick<Scripts, 'read' | 'run'>;
	readonly goals: Pick<Goals, 'folder' | 'check' | 'add' | 'start'>;
	readonly agents: Pick<SubAgents, 'checkTools' | 'spawn' | 'send' | 'list' | 'stop'>;
	/** Puts a thread into the mode Agent: the user has approved its plan. */
	beginWork(threadId: ThreadId, signal: AbortSignal): Promise<void>;
	/**
	 * Resolves with what the agent of a thread may do without a person's answer, as this host grants it at that moment.
	 */
	permissionsNow(threadId: ThreadId, signal: AbortSignal): Promise<PermissionsNow>;
}

/** Commands belong to a thread; what the user does outside any belongs to none. */
export function callerThreadId(caller: Caller) {
	return caller.threadId;
}
