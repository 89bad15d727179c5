/** agent.spawn, agent.send, agent.list, agent.stop and agent.apply: what they change is who works; what is done then are ops of their own. */
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import { createFileTarget } from '../../trust/gate/targets.ts';
import type { AgentDeps } from './agent-deps.ts';

type AgentOp = 'agent.spawn' | 'agent.send' | 'agent.list' | 'agent.stop' | 'agent.apply';

export function subAgentOps({ agents }: Pick<AgentDeps, 'agents'>): Pick<OpImplementations, AgentOp> {
	return {
		'agent.spawn': {
			async prepare(params) {
				agents.checkTools(params.tools);
				return {
					targets: [],
					detail: { kind: 'text', text: params.task },
					run: (context) => agents.spawn(params, context),
				};
			},
		},
		'agent.send': {
			prepare: (params) =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: params.message ?? params.id },
					run: (context) => agents.send(params, context),
				}),
		},
		'agent.list': {
			prepare: () =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: 'Sub-agents of this thread' },
					run: ({ caller, signal }) => agents.list(caller, signal),
				}),
		},
		'agent.stop': {
			prepare: ({ id }) =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: id },
					run: ({ caller, signal }) => agents.stop(id, caller, signal),
				}),
		},
		'agent.apply': {
			async prepare(params, context) {
				const { targets, patch, run } = await agents.plan(params, context);
				return {
					targets: targets.map((located) => createFileTarget(located, 'write')),
					detail: { kind: 'text', text: patch },
					run: ({ caller, signal }) => run(caller, signal),
				};
			},
		},
	};
}
