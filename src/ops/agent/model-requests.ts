/** llm.chat, llm.oneshot and agent.run: the server asks a model for an execution, or a capability that provides `llm` answers. */
import type { OpParams } from '../../protocol/op-table/ops.ts';
import type { Answerer } from '../../features/models/who-answers.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { AgentDeps } from './agent-deps.ts';

type ModelOp = 'llm.chat' | 'llm.oneshot' | 'agent.run';

export function modelOps({ models }: Pick<AgentDeps, 'models'>): Pick<OpImplementations, ModelOp> {
	return {
		'llm.chat': {
			async prepare(params, { caller }) {
				const answerer = models.whoAnswers(params.model, caller);
				return {
					targets: [],
					detail: { kind: 'text', text: [...formatAddressee(answerer), ...formatChatMessages(params)].join('\n\n') },
					run: (context) => models.chat(params, answerer, context),
				};
			},
		},
		'llm.oneshot': {
			async prepare(params, { caller }) {
				const answerer = models.whoAnswers(params.model, caller);
				return {
					targets: [],
					detail: { kind: 'text', text: [...formatAddressee(answerer), params.prompt].join('\n\n') },
					run: (context) => models.oneshot(params, answerer, context),
				};
			},
		},
		// A sub-turn in the server, whose effects come back as ops of the execution that asked for it.
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

/** Said when it is no model. */
function formatAddressee(answerer: Answerer): string[] {
	return answerer.kind === 'capability' ? [`to: ${answerer.model}`] : [];
}

/** All that would be sent. */
function formatChatMessages({ system, messages }: OpParams<'llm.chat'>): string[] {
	return [...(system === '' ? [] : [`system: ${system}`]), ...messages.map((each) => `${each.role}: ${each.content}`)];
}
