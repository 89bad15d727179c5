/** Sub-agents of the shown thread, for the cards of the calls that started them: an item is drawn again only when it changes. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AgentView } from '../../../protocol/agents/agent-view.ts';
import type { OpId } from '../../../protocol/rpc/ids.ts';

const AgentsContext = createContext<readonly AgentView[]>([]);
export const AgentsProvider = AgentsContext.Provider;

/** The one that this call has started. */
export function useStartedAgent(opId: OpId): AgentView | undefined {
	return useContext(AgentsContext).find((agent) => agent.opId === opId);
}
