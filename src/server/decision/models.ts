/** Which models there are, and which of them this thread uses. */
import type { FastPath } from './fast-path.ts';
import { plainWords } from './plain-words.ts';
import { writeAnswer } from './write-answer.ts';

const QUESTIONS =
	/^(?:(?:which|what) models (?:are there|are available|can i use|do i have)|(?:list|show)(?: me)?(?: all)?(?: the| my)?(?: available)? models)$/;

export const models: FastPath<true> = {
	name: 'models',
	match: (text) => QUESTIONS.test(plainWords(text)) || undefined,
	async run(_match, { journal, modelId }, ports, signal) {
		const list = await ports.models.list(signal);
		signal.throwIfAborted();
		const selected = modelId ?? list.selected;
		const lines = list.models.map(({ id, name }) => {
			const label = name === id ? `\`${id}\`` : `\`${id}\`: ${name}`;
			return `- ${label}${id === selected ? ' (selected)' : ''}`;
		});
		if (list.models.every(({ id }) => id !== selected)) {
			lines.push(`- \`${selected}\` (selected, not listed by its provider)`);
		}
		const problems = list.problems.map(
			({ provider, message }) => `\n\n\`${provider}\` could not be listed: ${message}.`,
		);
		writeAnswer(journal, `These models can be used:\n\n${lines.join('\n')}${problems.join('')}`);
	},
};
