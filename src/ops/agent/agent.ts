/** agent.run: a sub-turn in the server, whose effects come back as ops of the execution that asked for it. */
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { AgentDeps } from './agent-deps.ts';

export function agentOps({ models }: Pick<AgentDeps, 'models'>): Pick<OpImplementations, 'agent.run'> {
	return {
		'agent.run': {
			prepare: (params) =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: `${params.instructions}\n\n${params.prompt}`.trim() },
					run: (context) => models.runSubTurn(params, context),
				}),
		},
	};
}
