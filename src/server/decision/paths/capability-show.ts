/** Fast path: shows the description, inputs and permissions of a capability. */
import type { FastPath } from '../fast-path.ts';
import type { Language } from '../language.ts';
import { runSilentOp } from '../look.ts';
import { writeAnswer } from '../write-answer.ts';
import { namedCapability } from './capability-name.ts';

const SHOW_CAPABILITY_VERBS = {
	en: 'show(?: me)?|describe|what is|what does',
	de: 'zeige?(?: mir)?|beschreibe|was ist',
};

export const capabilityShow: FastPath<{ readonly language: Language; readonly name: string }> = {
	name: 'capability-show',
	match: (text) => namedCapability(text, SHOW_CAPABILITY_VERBS),
	async run({ language, name }, turn, deps, signal) {
		const found = await runSilentOp('capability.detail', { name }, turn, deps, signal);
		const isGerman = language === 'de';
		const inputs = found.inputs.map(
			(input) =>
				`- \`${input.name}\` (${input.type})${input.description === undefined ? '' : `: ${input.description}`}`,
		);
		const head = `**${found.type}/${found.name}** ${found.version} (${found.source})\n\n${found.description}`;
		const rights = found.permissions.map((permission) => `\`${permission}\``).join(', ');
		const parts = [
			head,
			...(inputs.length === 0 ? [] : [`${isGerman ? 'Eingaben' : 'Inputs'}:\n\n${inputs.join('\n')}`]),
			`${isGerman ? 'Stufe' : 'Level'}: ${found.level}${rights === '' ? '' : ` · ${isGerman ? 'Rechte' : 'Permissions'}: ${rights}`}`,
		];
		writeAnswer(turn.journal, parts.join('\n\n'));
	},
};
