/** Rights of threads, agents and projects: all that the gate reads, each kept in a file of its own. */
import { Access } from './access/access.ts';
import { AgentRecords } from './access/agent-records.ts';
import { ApprovalOrigins } from './approvals/approval-origins.ts';
import { LoadedSkills } from './policy/executions/loaded-skills.ts';
import { ThreadLevels } from './policy/levels/thread-levels.ts';
import { ThreadModes } from './policy/levels/thread-modes.ts';
import { ThreadLabels } from './labels/thread-labels.ts';
import { ThreadTools } from './policy/levels/thread-tools.ts';
import { ProjectRules } from './policy/rules/project-rules.ts';
import { WorkspacePolicies } from './policy/workspace/workspace-policies.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';

export function createRights({ workspace, editor, settings, log, places }: HostPorts, paths: WorkspacePaths) {
	const { home } = places;
	const { origin, isTrusted } = workspace;
	const project = origin === undefined ? workspace : { folders: [origin], isTrusted };
	const ofOrigin = origin && new WorkspacePolicies(project, new WorkspacePaths(project), log);
	const agentRecords = new AgentRecords({ home, log });
	return {
		agentRecords,
		policies: new WorkspacePolicies(workspace, paths, log, ofOrigin),
		projectRules: new ProjectRules({ home, workspace: project, log }),
		origins: new ApprovalOrigins({ home, log }),
		access: new Access({ settings, host: editor === undefined ? 'cli' : 'editor', agents: agentRecords }),
		levels: new ThreadLevels({ home, settings, log, agents: agentRecords }),
		modes: new ThreadModes({ home, log, agents: agentRecords }),
		skills: new LoadedSkills({ home, log }),
		labels: new ThreadLabels({ home, log, agents: agentRecords }),
		threadTools: new ThreadTools({ home, settings, log, agents: agentRecords }),
	};
}
