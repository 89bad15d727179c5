/**
 * Fast path: runs a capability that the prompt names exactly and that needs no input. A capability that is a text for
 * the agent, has tools or requires inputs is left to the model.
 */
import { fenceCodeBlock } from '../../../base/text/fenced.ts';
import type { FastPath } from '../fast-path.ts';
import type { Language } from '../language.ts';
import { runSilentOp } from '../look.ts';
import { runJournaledOp } from '../run-op.ts';
import { writeAnswer } from '../write-answer.ts';
import { namedCapability } from './capability-name.ts';

const RUN_CAPABILITY_VERBS = { en: 'run|start|use', de: 'starte|verwende|führe' };
const SLASH = /^\/((?:[a-z0-9-]+\/)?[\p{L}\p{N}][\p{L}\p{N}:-]*)$/u;

export const capabilityRun: FastPath<{ readonly language: Language; readonly name: string }> = {
	name: 'capability-run',
	match(text) {
		const slash = SLASH.exec(text.trim())?.[1];
		// A command of ours, such as one that is sent as a message, is none.
		return slash === undefined || slash === 'compact'
			? namedCapability(text, RUN_CAPABILITY_VERBS)
			: { language: 'en', name: slash };
	},
	async run({ language, name }, turn, deps, signal) {
		const found = await runSilentOp('capability.detail', { name }, turn, deps, signal);
		if (found.body !== undefined || found.tools !== undefined || found.inputs.some(({ required }) => required)) {
			throw new Error(`${name} needs more than its name`);
		}
		const params = { name: found.name, type: found.type };
		const { result, text } = await runJournaledOp('capability.start', params, turn, deps, signal);
		const isGerman = language === 'de';
		const what = `\`${found.type}/${found.name}\``;
		if (result?.success !== true) {
			writeAnswer(
				turn.journal,
				`${what} ${isGerman ? 'ist nicht gelaufen' : 'did not complete'}.\n\n${fenceCodeBlock(text)}`,
			);
			return;
		}
		writeAnswer(turn.journal, `${what} ${isGerman ? 'ist fertig' : 'completed'}.\n\n${fenceCodeBlock(text)}`);
	},
};
