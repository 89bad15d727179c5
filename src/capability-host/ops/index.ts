/** Every op and how it is carried out. An op of the protocol that is missing here does not compile. */
import type { OpImplementations } from '../contract/op-implementation.ts';
import { agentOps } from './agent.ts';
import { capabilityOps } from './capabilities.ts';
import { cryptoOps } from './crypto.ts';
import { editorOps } from './editor.ts';
import { environmentOps } from './environment.ts';
import { fileTreeOps } from './file-trees.ts';
import { fileOps } from './files.ts';
import { gitOps } from './git.ts';
import { httpOps } from './http.ts';
import { interactionOps } from './interaction.ts';
import { llmOps } from './llm.ts';
import { netOps } from './net.ts';
import type { OpDeps } from './op-deps.ts';
import { planOps } from './plan.ts';
import { plistOps } from './plist.ts';
import { searchOps } from './search.ts';
import { secretsOps } from './secrets.ts';
import { shellOps } from './shell.ts';
import { sqlOps } from './sql.ts';
import { webOps } from './web.ts';
import { workspaceOps } from './workspace.ts';

export function createOpImplementations(deps: OpDeps): OpImplementations {
	return {
		...fileOps(deps),
		...fileTreeOps(deps),
		...searchOps(deps),
		...shellOps(deps),
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
		...interactionOps(deps),
		...planOps(deps),
		...capabilityOps(deps),
		...workspaceOps(deps),
		...environmentOps(deps),
	};
}
