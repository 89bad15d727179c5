/** Composition of what threads, agents and projects may do: what the gate reads, each kept in a file of its own. */
import { Access } from '../../trust/gate/access/access.ts';
import { AgentRecords } from '../../trust/gate/agents/agent-records.ts';
import { ApprovalOrigins } from '../../trust/gate/approvals/approval-origins.ts';
import { LoadedSkills } from '../../trust/gate/policy/executions/loaded-skills.ts';
import { ThreadLevels } from '../../trust/gate/policy/levels/thread-levels.ts';
import { ThreadModes } from '../../trust/gate/policy/levels/thread-modes.ts';
import { ThreadTools } from '../../trust/gate/policy/levels/thread-tools.ts';
import { ProjectRules } from '../../trust/gate/policy/rules/project-rules.ts';
import { WorkspacePolicies } from '../../trust/gate/policy/workspace/workspace-policies.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';

export function hostRights({ workspace, editor, settings, log, places }: HostPorts, paths: WorkspacePaths) {
	const { home } = places;
	const agentRecords = new AgentRecords({ home, log });
	return {
		agentRecords,
		policies: new WorkspacePolicies(workspace, paths, log),
		projectRules: new ProjectRules({ home, workspace, log }),
		origins: new ApprovalOrigins({ home, log }),
		access: new Access({ settings, host: editor === undefined ? 'cli' : 'editor', agents: agentRecords }),
		levels: new ThreadLevels({ home, settings, log, agents: agentRecords }),
		modes: new ThreadModes({ home, log, agents: agentRecords }),
		skills: new LoadedSkills({ home, log }),
		threadTools: new ThreadTools({ home, settings, log, agents: agentRecords }),
	};
}
