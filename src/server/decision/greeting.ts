/** A greeting or thanks, and nothing else. */
import type { FastPath } from './fast-path.ts';
import { plainWords } from './plain-words.ts';
import { writeAnswer } from './write-answer.ts';

const GREETINGS =
	/^(?:(?:hello|hi|hey)(?: there)?|good (?:morning|afternoon|evening)|thanks(?: a lot)?|thank you(?: very much)?)(?: prowess)?$/;

export const greeting: FastPath<'thanks' | 'hello'> = {
	name: 'greeting',
	match(text) {
		const words = plainWords(text);
		if (!GREETINGS.test(words)) {
			return undefined;
		}
		return words.startsWith('thank') ? 'thanks' : 'hello';
	},
	async run(match, { journal }) {
		const opening = match === 'thanks' ? 'You are welcome' : 'Hello';
		writeAnswer(
			journal,
			`${opening}! I can read, search and explain the files of this workspace, change them, and run commands; just say what you need.`,
		);
	},
};
