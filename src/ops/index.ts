/** Every op and how it is carried out. An op of the protocol that is missing here does not compile. */
import type { OpImplementations } from '../contract/ops/op-implementation.ts';
import { type AgentDeps, createAgentDeps } from './agent/agent-deps.ts';
import { capabilityOps } from './agent/capabilities.ts';
import { type CapabilityDeps, createCapabilityDeps } from './agent/capability-deps.ts';
import { type CommandDeps, createCommandDeps } from './commands/command-deps.ts';
import { createDataDeps, type DataDeps } from './data/data-deps.ts';
import { cryptoOps } from './data/crypto.ts';
import { editorOps } from './agent/editor.ts';
import { environmentOps } from './commands/environment.ts';
import { createFileDeps, type FileDeps } from './files/file-deps.ts';
import { fileTreeOps } from './files/file-trees.ts';
import { fileOps } from './files/files.ts';
import { goalOps } from './agent/goals.ts';
import { gitOps } from './agent/git.ts';
import { lateReachingOps } from './network/late-ops.ts';
import { interactionOps } from './agent/interaction.ts';
import { modelOps } from './agent/model-requests.ts';
import { mcpOps } from './agent/mcp.ts';
import { memoryOps } from './agent/memory.ts';
import { createNetworkDeps, type LateNetworkDeps } from './network/network-deps.ts';
import { netOps } from './network/net.ts';
import { planOps } from './agent/plan.ts';
import { plistOps } from './data/plist.ts';
import { refactorOp } from './files/refactor.ts';
import { SeenTexts } from './seen-texts.ts';
import { searchOps } from './files/search.ts';
import { scriptOps } from './agent/scripts.ts';
import { secretsOps } from './data/secrets.ts';
import { serviceOps } from './agent/services.ts';
import { shellOps } from './commands/shell.ts';
import { sqlOps } from './data/sql.ts';
import { searchCodeOp } from './files/search-code.ts';
import { scheduleOps } from './agent/schedules.ts';
import { subAgentOps } from './agent/sub-agents.ts';
import { workspaceOps } from './agent/workspace.ts';

export type OpDeps = FileDeps & CommandDeps & LateNetworkDeps & DataDeps & AgentDeps & CapabilityDeps;

type OpParts = Parameters<typeof createFileDeps>[0] &
	Parameters<typeof createCommandDeps>[0] &
	Parameters<typeof createNetworkDeps>[0] &
	Parameters<typeof createDataDeps>[0] &
	Parameters<typeof createAgentDeps>[0] &
	Parameters<typeof createCapabilityDeps>[0];

/** Creates the ops of a host, each group of them of the parts that it reaches. */
export function createOps(parts: OpParts): OpImplementations {
	return createOpImplementations({
		...createFileDeps(parts),
		...createCommandDeps(parts),
		...createNetworkDeps(parts),
		...createDataDeps(parts),
		...createAgentDeps(parts),
		...createCapabilityDeps(parts),
	});
}

export function createOpImplementations(deps: OpDeps): OpImplementations {
	// Texts that a model has read count for every op that replaces a file: a file op, or a command that writes into it.
	const seen = new SeenTexts(deps.beforeImages);
	return {
		...fileOps(deps, seen),
		...refactorOp({ ...deps, seen }),
		...fileTreeOps(deps),
		...searchOps(deps),
		'search.code': searchCodeOp(deps),
		...shellOps({ ...deps, seen }),
		...editorOps(deps),
		...gitOps(deps),
		...lateReachingOps(deps),
		...netOps(deps),
		...sqlOps(deps),
		...secretsOps(deps),
		...cryptoOps(),
		...plistOps(deps),
		...modelOps(deps),
		...subAgentOps(deps),
		...scheduleOps(deps),
		...goalOps(deps),
		...scriptOps(deps),
		...interactionOps(deps),
		...planOps(deps),
		...capabilityOps(deps),
		...serviceOps(deps),
		...mcpOps(deps),
		...memoryOps(deps),
		...workspaceOps(deps),
		...environmentOps(deps),
	};
}
