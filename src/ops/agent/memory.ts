/**
 * memory.remember, memory.recall and memory.forget. Texts to be noted or deleted are shown word for word before that
 * happens.
 */
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { AgentDeps } from './agent-deps.ts';

type MemoryOp = 'memory.remember' | 'memory.recall' | 'memory.forget';

export function memoryOps({ memories }: Pick<AgentDeps, 'memories'>): Pick<OpImplementations, MemoryOp> {
	return {
		'memory.remember': {
			async prepare(params, { caller }) {
				memories.check(params, caller);
				return {
					targets: [],
					detail: { kind: 'text', text: escapeInvisible(params.text, 'lines') },
					run: async (context) => await memories.note(params, context.caller),
				};
			},
		},
		'memory.recall': {
			prepare: (params) =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: escapeInvisible(params.query, 'lines') },
					run: async ({ caller }) => await memories.recall(params, caller),
				}),
		},
		'memory.forget': {
			async prepare({ id }, { caller }) {
				const { text } = await memories.get(id, caller);
				return {
					targets: [],
					detail: { kind: 'text', text: escapeInvisible(text, 'lines') },
					async run() {
						const forgotten = await memories.forget(id);
						return { id, text: forgotten.text };
					},
				};
			},
		},
	};
}
