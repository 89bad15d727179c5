/** Fast path: lists the executions of capabilities that run for this thread, with their state. */
import type { FastPath } from '../fast-path.ts';
import { type Language, detectLanguage } from '../language.ts';
import { runSilentOp } from '../look.ts';
import { writeAnswer } from '../write-answer.ts';

const RUNNING_QUESTIONS = {
	en: /^(?:what is running|what's running|which (?:capabilities|executions|runs) are running|(?:list|show)(?: me)?(?: all)?(?: the)? (?:executions|runs|running capabilities))$/,
	de: /^(?:was läuft(?: gerade)?|welche (?:fähigkeiten|ausführungen) laufen(?: gerade)?|(?:zeige?|liste)(?: mir)?(?: die| alle)? ausführungen(?: auf)?)$/,
};

export const runningFastPath: FastPath<Language> = {
	name: 'running',
	match: (text) => detectLanguage(text, RUNNING_QUESTIONS),
	async run(language, turn, deps, signal) {
		const { executions } = await runSilentOp('capability.status', {}, turn, deps, signal);
		const lines = executions.map(
			({ type, name, status, executionId }) => `- \`${type}/${name}\`: ${status} (\`${executionId}\`)`,
		);
		const none = language === 'de' ? 'In diesem Thread läuft nichts.' : 'Nothing runs in this thread.';
		const head = language === 'de' ? 'Ausführungen dieses Threads:' : 'Executions of this thread:';
		writeAnswer(turn.journal, lines.length === 0 ? none : `${head}\n\n${lines.join('\n')}`);
	},
};
