/** script.run: the whole script is shown before its first step; then each step is an op of the same agent. */
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { Script } from '../../features/script/script.ts';
import type { AgentDeps } from './agent-deps.ts';

/** Name of the text in what is said about its problems. */
const CALLED = 'script.yaml';

export function scriptOps({ scripts }: Pick<AgentDeps, 'scripts'>): Pick<OpImplementations, 'script.run'> {
	return {
		'script.run': {
			async prepare({ script: text }) {
				const script = await scripts.read(text, CALLED);
				return {
					targets: [],
					detail: { kind: 'text', text: escapeInvisible(`${formatScriptSteps(script)}\n\n${text}`, 'lines') },
					async run({ caller, signal, showSteps }) {
						if (caller.kind !== 'agent') {
							throw new ProwessError('INVALID_STATE', 'only an agent runs a script this way', {});
						}
						const options = { isAnew: false, caller, onStep: () => {}, onRunSteps: showSteps };
						const { results } = await scripts.run(script, options, signal);
						const ofSteps = script.steps.map(({ id }) => ({ id, result: results.get(id) ?? null }));
						return { name: script.name, results: ofSteps };
					},
				};
			},
		},
	};
}

function formatScriptSteps({ steps }: Script): string {
	return steps.map(({ id, title }, at) => `${at + 1}. ${id}: ${title}`).join('\n');
}
