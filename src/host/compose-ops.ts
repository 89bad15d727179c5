/** Composition of the ops: the parts of the trusted base that each group of them reaches. */
import type { PerformOp } from '../contract/ops/perform-op.ts';
import type { OpImplementations } from '../contract/ops/op-implementation.ts';
import type { HostPorts } from '../contract/ports/ports.ts';
import type { Checkpoints } from '../trust/checkpoints/checkpoints.ts';
import type { CapabilityManager } from '../execution/runs/capability-manager.ts';
import type { Newcomers } from '../catalog/registry/offer/newcomers.ts';
import type { CapabilityRegistry } from '../catalog/registry/capability-registry.ts';
import type { CapabilitySwitch } from '../catalog/registry/sources/capability-switch.ts';
import type { UserWords } from '../execution/runs/start/user-words.ts';
import type { NamedByUser } from '../execution/runs/start/named-by-user.ts';
import type { PersonDesk } from '../trust/gate/approvals/desk.ts';
import type { ThreadTools } from '../trust/gate/policy/levels/thread-tools.ts';
import type { LoadedSkills } from '../trust/gate/policy/executions/loaded-skills.ts';
import { HardenedGit } from '../machine/git/hardened-git.ts';
import { CookieJars } from '../machine/http/cookie-jar.ts';
import { systemResolve } from '../machine/http/resolve-host.ts';
import type { WorkspacePaths } from '../machine/paths/workspace-paths.ts';
import type { CommandWall } from '../machine/sandbox/command-wall.ts';
import { WorkspaceSearch } from '../machine/search/workspace-search.ts';
import type { SecretVault } from '../machine/secrets/secret-vault.ts';
import type { CommandRunner } from '../machine/shell/command-runner.ts';
import { SqlRunner } from '../machine/sql/sql-runner.ts';
import type { WorkspaceSweeps } from '../machine/sweep/workspace-sweeps.ts';
import type { McpServers } from '../execution/mcp/mcp-servers.ts';
import type { CodeIndex } from '../features/code-index/code-index.ts';
import { McpReading } from '../execution/mcp/offers/mcp-reading.ts';
import type { Memories } from '../features/memory/memories.ts';
import type { ModelAccess } from '../features/models/model-access.ts';
import type { SubAgents } from '../features/agents/sub-agents.ts';
import { McpSampling } from '../ops/agent/mcp-sampling.ts';
import { CommandConnections } from '../ops/commands/command-connections.ts';
import { createOpImplementations } from '../ops/index.ts';
import type { OpDeps } from '../ops/op-deps.ts';
import type { Goals } from '../features/goal/goals.ts';
import type { Scripts } from '../features/script/scripts.ts';
import type { Schedules } from '../features/schedule/schedules.ts';
import type { Modes } from '../trust/gate/policy/levels/mode-register.ts';
import { workerUrl } from '../machine/worker-url.ts';

interface OpParts {
	readonly ports: HostPorts;
	readonly paths: WorkspacePaths;
	readonly commands: CommandRunner;
	readonly sweeps: WorkspaceSweeps;
	readonly commandSandbox: CommandWall;
	readonly checkpoints: Checkpoints;
	readonly desk: PersonDesk;
	readonly perform: PerformOp;
	readonly vault: SecretVault;
	readonly capabilities: CapabilityManager;
	readonly newcomers: Newcomers;
	readonly mcp: McpServers;
	readonly memories: Memories;
	readonly codeIndex: CodeIndex;
	readonly named: NamedByUser;
	readonly words: UserWords;
	readonly registry: CapabilityRegistry;
	readonly capabilitySwitch: CapabilitySwitch;
	readonly skills: LoadedSkills;
	readonly threadTools: ThreadTools;
	readonly models: ModelAccess;
	readonly permissionsNow: OpDeps['permissionsNow'];
	readonly threadModes: Modes;
	readonly agents: SubAgents;
	readonly schedules: Schedules;
	readonly goals: Goals;
	readonly scripts: Scripts;
}

export function opImplementations(parts: OpParts): OpImplementations {
	const { ports, paths, commands, sweeps, commandSandbox, checkpoints, desk, perform } = parts;
	const {
		vault,
		capabilities,
		newcomers,
		mcp,
		memories,
		codeIndex,
		named,
		skills,
		models,
		permissionsNow,
		threadModes,
	} = parts;
	const { words, registry, capabilitySwitch, agents, schedules, goals, scripts, threadTools } = parts;
	const { documents, editor, settings, places } = ports;
	return createOpImplementations({
		paths,
		documents,
		editor,
		commands,
		wall: commandSandbox,
		sweeps,
		places,
		beforeImages: {
			keep(change) {
				commandSandbox.expect(change.absolutePath);
				sweeps.expect(change.absolutePath);
				return checkpoints.images.keep(change);
			},
			written: (change) => checkpoints.images.written(change),
			callerNow: (caller) => checkpoints.images.callerNow(caller),
			swept: (swept) => checkpoints.images.swept(swept),
			lastWritten: (threadId, absolutePath) => checkpoints.images.lastWritten(threadId, absolutePath),
			changedSince: (threadId) => checkpoints.images.changedSince(threadId),
		},
		askUser: (question, options, { opId, caller, signal }, server) =>
			desk.question({ opId, threadId: caller.threadId, question, options, ...(server && { server }) }, signal),
		search: new WorkspaceSearch({
			ripgrepCandidates: [settings.current['prowess.tools.ripgrepPath'], ...places.ripgrepCandidates].filter(
				(path) => path !== '',
			),
			environment: commands.environment,
			workerUrl: workerUrl('./search/worker.ts', 'search-worker.mjs', places.dist),
		}),
		codeIndex,
		git: new HardenedGit(commands.environment),
		http: {
			allowedHosts: () => settings.current['prowess.http.allowHosts'],
			resolve: systemResolve,
			cookies: new CookieJars(),
		},
		webSearch: () => settings.current['prowess.web.search'],
		connections: new CommandConnections(perform),
		databases: () => settings.current['prowess.databases'],
		sql: new SqlRunner(workerUrl('./sql/sql-process.ts', 'sql-process.mjs', places.dist)),
		secrets: vault,
		capabilities,
		newcomers,
		mcp,
		mcpSampling: new McpSampling({ perform, settings, models }),
		mcpReading: new McpReading(mcp),
		memories,
		schedules,
		goals,
		scripts,
		isResourceNamedByUser: (caller, server, uri) => words.wantResource(caller, server, uri),
		isPausedByUser: (caller, wish) => words.wantPaused(caller, wish),
		isSwitchedByUser: (caller, wish) => words.wantSwitched(caller, wish),
		async switchCapability(wish, signal) {
			const found = await capabilitySwitch.find((await registry.state()).capabilities, wish, wish.isEnabled);
			await capabilitySwitch.set(found, wish.isEnabled, signal);
			return found;
		},
		isNamedByUser: (caller, capability) => named.has(caller, capability),
		ownFolders: (caller, signal) => skills.foldersFor(caller, signal),
		mayRun: async (caller, signal) => caller.kind !== 'agent' || (await threadTools.mayRun(caller.threadId, signal)),
		models,
		agents,
		beginWork: (threadId, signal) => threadModes.set(threadId, 'agent', signal),
		permissionsNow,
	});
}
