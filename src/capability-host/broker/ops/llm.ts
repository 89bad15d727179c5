/** llm.chat and llm.oneshot: the server asks the model. */
import type { OpParams } from '../../../protocol/ops.ts';
import type { OpImplementations } from '../op-implementation.ts';
import type { OpDeps } from './op-deps.ts';

export function llmOps({ models }: OpDeps): Pick<OpImplementations, 'llm.chat' | 'llm.oneshot'> {
	return {
		'llm.chat': {
			prepare: (params) =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: saidIn(params) },
					run: (context) => models.chat(params, context),
				}),
		},
		'llm.oneshot': {
			prepare: (params) =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: params.prompt },
					run: (context) => models.oneshot(params, context),
				}),
		},
	};
}

/** All that would be sent. */
function saidIn({ system, messages }: OpParams<'llm.chat'>): string {
	return [
		...(system === '' ? [] : [`system: ${system}`]),
		...messages.map((each) => `${each.role}: ${each.content}`),
	].join('\n\n');
}
