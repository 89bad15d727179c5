/** Composition of sub-agents: who they are, what kinds there are, and who follows them. */
import type { ThreadId } from '../../protocol/ids.ts';
import { AgentWatch } from '../../features/agents/agent-watch.ts';
import { CustomAgents } from '../../features/agents/custom/custom-agents.ts';
import { SubAgents } from '../../features/agents/sub-agents.ts';
import type { AgentFile } from '../../features/agents/custom/agent-files.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { AgentRecords } from '../../trust/gate/agents/agent-records.ts';
import type { PersonDesk } from '../../trust/gate/approvals/desk.ts';
import type { ThreadModes } from '../../trust/gate/policy/levels/thread-modes.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';

interface AgentParts {
	readonly ports: HostPorts;
	readonly desk: PersonDesk;
	readonly redactor: Redactor;
	readonly records: AgentRecords;
	readonly begun: Set<ThreadId>;
	readonly modes: ThreadModes;
	/** Files of agents that plugins bring. */
	plugins(): Promise<readonly AgentFile[]>;
	/** The thread of an agent is no longer needed. */
	letGo(threadId: ThreadId): Promise<void>;
}

export function hostAgents({ ports, desk, redactor, records, begun, modes, plugins, letGo }: AgentParts) {
	const { settings, log } = ports;
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
		letGo,
		log,
	});
	return { agentWatch, customAgents, agents };
}
