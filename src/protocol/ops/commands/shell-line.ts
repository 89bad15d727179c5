/**
 * A line as a shell would take it, read as the simple commands that it is made of: words, quotes, `|` and `&&`. For telling
 * who wrote such a line how it is given instead; nothing is run from it. Whatever needs a shell to mean something is not read.
 */
type Join = '|' | '&&';

/** The first command, and those that follow it. */
export interface CommandChain {
	readonly argv: readonly string[];
	readonly chain?: readonly { readonly join: Join; readonly argv: readonly string[] }[] | undefined;
}

const TOKEN = /[ \t]+|\|(?!\|)|&&|(?:'[^']*'|"[^"$`\\!]*"|[^\s'"|&;<>$`\\*?~()[\]{}#!])+/gy;
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;
const QUOTED = /'([^']*)'|"([^"]*)"/g;

/** Undefined when the line holds anything but words, quotes, `|` and `&&`, or a command is missing. */
export function readShellLine(line: string): CommandChain | undefined {
	const commands: { join: Join; argv: string[] }[] = [{ join: '&&', argv: [] }];
	let at = 0;
	for (const [token] of line.matchAll(TOKEN)) {
		at += token.length;
		if (token === '|' || token === '&&') {
			commands.push({ join: token, argv: [] });
		} else if (token.trim() !== '') {
			commands.at(-1)?.argv.push(token.replace(QUOTED, '$1$2'));
		}
	}
	const [first, ...chain] = commands;
	const assigns = commands.some(({ argv: [program] }) => program === undefined || /^\w+=/.test(program));
	if (at !== line.length || first === undefined || assigns) {
		return undefined;
	}
	return chain.length === 0 ? { argv: first.argv } : { argv: first.argv, chain };
}

/** How a line is given instead, for the end of an error. */
export function shellLineHint(line: string): string {
	const read = readShellLine(line);
	return read === undefined
		? 'there is no shell: give the program and each argument on its own in argv, and what follows a pipe (|) or && in chain; redirections, variables and wildcards are not understood'
		: `there is no shell: give ${JSON.stringify(read)}`;
}

/** For people to read, not for a shell to run. */
export function shownCommands({ argv, chain = [] }: CommandChain): string {
	return [argv.map(shown).join(' '), ...chain.map((next) => `${next.join} ${next.argv.map(shown).join(' ')}`)].join(
		' ',
	);
}

function shown(argument: string): string {
	return PLAIN_WORD.test(argument) ? argument : JSON.stringify(argument);
}
