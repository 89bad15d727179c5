/** Finds the password that a command is given by an option of one letter, which means something else to other programs. */
import type { SecretFinding, TextPlace } from '../findings.ts';
import { MAX_COMMAND } from '../limits.ts';

interface CredentialCommand {
	readonly family: string;
	readonly name: RegExp;
	/** The first group stays. */
	readonly option: RegExp;
}

const credentialCommands: readonly CredentialCommand[] = [
	{
		family: 'curl-user',
		name: /\bcurl\b/g,
		// The password behind the name, or all that stands there when one of the two is left out.
		option:
			/(\s(?:-u|--user)(?:[ =]|\\\n){1,4}["']?(?:[^\s:"'$<]{0,64}["']?:["']?(?!["'\s])|(?=[^\s:"'$<]{3,64}:["'\s])))(?!<redacted:|["']?[$[]|\{\{)[^\s"'<]{3,200}/g,
	},
	{
		family: 'mysql',
		name: /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)(?= +-)/g,
		// Neither ports nor the options of other commands behind it.
		option: /(\s-p["']?)(?![$<{]|\d+:|(?:arents|ath|erm|ipe|ort|rint0?|rofile|roject|rune)\b)[^\s"'<,;)]{3,200}/g,
	},
	{
		family: 'sshpass',
		name: /\bsshpass(?= +-)/g,
		option: /(\s-p[ =]{0,4}["']?)(?![$<{])[^\s"'<]{3,200}/g,
	},
];

export function findCommandCredentials(text: string): SecretFinding[] {
	return credentialCommands.flatMap(({ family, name, option }) =>
		findCommandStretches(text, name).flatMap((stretch) =>
			Array.from(text.slice(stretch.start, stretch.end).matchAll(option), ({ 0: whole, 1: kept = '', index }) => {
				const start = stretch.start + index;
				return { family, start: start + kept.length, end: start + whole.length };
			}),
		),
	);
}

/**
 * Returns the stretches of text that follow the commands. Overlapping ones become one stretch, so that it is searched
 * once and is not cut.
 */
function findCommandStretches(text: string, name: RegExp): TextPlace[] {
	const stretches: { start: number; end: number }[] = [];
	name.lastIndex = 0;
	while (name.test(text)) {
		const start = name.lastIndex;
		const last = stretches.at(-1);
		if (last !== undefined && start <= last.end) {
			last.end = start + MAX_COMMAND;
		} else {
			stretches.push({ start, end: start + MAX_COMMAND });
		}
	}
	return stretches;
}
