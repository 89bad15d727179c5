/**
 * Card below the call that started a sub-agent: its work and usage, with the way to its thread and the button that ends
 * it.
 */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { agentStateInWords, type AgentState, type AgentView } from '../../../../protocol/agents/agent-view.ts';
import { costText } from '../../../../protocol/pages/usage-text.ts';
import type { OpId } from '../../../../protocol/rpc/ids.ts';
import { translateText } from '../../../../protocol/text/text.ts';
import { useView } from '../../../actions/view-context.ts';
import { Icon } from '../../../parts/icon.tsx';
import { pageLanguage } from '../../../parts/times.ts';

/** Sub-agents of the shown thread, for the cards of the calls that started them: an item is drawn again only when it changes. */
const AgentsContext = createContext<readonly AgentView[]>([]);
export const AgentsProvider = AgentsContext.Provider;

/** The one that this call has started. */
export function useStartedAgent(opId: OpId): AgentView | undefined {
	return useContext(AgentsContext).find((agent) => agent.opId === opId);
}

const AGENT_STATE_ICONS: { readonly [S in AgentState]: string } = {
	created: 'circle-outline',
	running: 'loading',
	suspended: 'debug-pause',
	terminated: 'debug-stop',
};

export function AgentCard({ agent }: { agent: AgentView }) {
	const { t, threads, agents } = useView();
	const { id, name, state, outcome, doing, isWaiting, tokens, cost } = agent;
	const isLive = state === 'running' || state === 'created';
	return (
		<div class="card-below agent-card" role="group" aria-label={t('Sub-agent {name}', { name })}>
			<div class="agent-facts">
				<span class={`agent-state ${state}`}>
					<Icon
						name={state === 'suspended' && outcome === 'done' ? 'pass' : AGENT_STATE_ICONS[state]}
						spin={state === 'running'}
					/>
					{translateText(agentStateInWords(agent), t)}
				</span>
				{isWaiting === true ? (
					<span class="agent-doing">{t('Waits for your answer')}</span>
				) : (
					doing !== undefined && <span class="agent-doing">{doing}</span>
				)}
				<span class="agent-used">
					{t('{n} tokens', { n: tokens.toLocaleString(pageLanguage()) })}
					{cost !== undefined && ` · ${translateText(costText(cost), t)}`}
				</span>
			</div>
			<div class="agent-actions">
				<button type="button" class="link-button" onClick={() => void threads.show(id)}>
					{t('Open the thread')}
				</button>
				{isLive && (
					<button
						type="button"
						class="link-button"
						title={t('Ends it, with the sub-agents that it has started')}
						onClick={() => void agents.stop(id)}
					>
						{t('Stop')}
					</button>
				)}
			</div>
		</div>
	);
}
