/** Every op and how it is carried out. An op of the protocol that is missing here does not compile. */
import type { OpImplementations } from '../contract/ops/op-implementation.ts';
import { agentOps } from './agent/agent.ts';
import { capabilityOps } from './agent/capabilities.ts';
import { cryptoOps } from './data/crypto.ts';
import { editorOps } from './agent/editor.ts';
import { environmentOps } from './commands/environment.ts';
import { fileTreeOps } from './files/file-trees.ts';
import { fileOps } from './files/files.ts';
import { goalOps } from './agent/goals.ts';
import { gitOps } from './agent/git.ts';
import { httpOps } from './network/http.ts';
import { interactionOps } from './agent/interaction.ts';
import { llmOps } from './agent/llm.ts';
import { mcpOps } from './agent/mcp.ts';
import { memoryOps } from './agent/memory.ts';
import { netOps } from './network/net.ts';
import type { OpDeps } from './op-deps.ts';
import { planOps } from './agent/plan.ts';
import { plistOps } from './data/plist.ts';
import { SeenTexts } from './seen-texts.ts';
import { searchOps } from './files/search.ts';
import { scriptOps } from './agent/scripts.ts';
import { secretsOps } from './data/secrets.ts';
import { shellOps } from './commands/shell.ts';
import { sqlOps } from './data/sql.ts';
import { searchCodeOp } from './files/search-code.ts';
import { webOps } from './network/web.ts';
import { scheduleOps } from './agent/schedules.ts';
import { subAgentOps } from './agent/sub-agents.ts';
import { workspaceOps } from './agent/workspace.ts';

export function createOpImplementations(deps: OpDeps): OpImplementations {
	// Texts that a model has read count for every op that replaces a file: a file op, or a command that writes into it.
	const seen = new SeenTexts(deps.beforeImages);
	return {
		...fileOps(deps, seen),
		...fileTreeOps(deps),
		...searchOps(deps),
		'search.code': searchCodeOp(deps),
		...shellOps({ ...deps, seen }),
		...editorOps(deps),
		...gitOps(deps),
		...httpOps(deps),
		...webOps(deps),
		...netOps(deps),
		...sqlOps(deps),
		...secretsOps(deps),
		...cryptoOps(),
		...plistOps(deps),
		...llmOps(deps),
		...agentOps(deps),
		...subAgentOps(deps),
		...scheduleOps(deps),
		...goalOps(deps),
		...scriptOps(deps),
		...interactionOps(deps),
		...planOps(deps),
		...capabilityOps(deps),
		...mcpOps(deps),
		...memoryOps(deps),
		...workspaceOps(deps),
		...environmentOps(deps),
	};
}
