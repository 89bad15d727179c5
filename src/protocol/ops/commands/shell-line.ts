/** Commands in a chain, as texts for people and models to read; no shell runs anything from them. */
import { type CommandChain, joinCommands } from './command-chain.ts';
import { readShellLine } from './read-shell-line.ts';
import { redirectText } from './redirect.ts';

const PLAIN_ARGUMENT = /^[\w@%+=:,./-]+$/;

/** Returns how to give a line instead, for the end of an error. */
export function shellLineHint(line: string): string {
	const read = readShellLine(line);
	return read === undefined
		? 'there is no shell: give the program and each argument on its own in argv, and what follows a pipe (|), &&, || or ; in chain; variables and wildcards are not understood'
		: `there is no shell: give ${JSON.stringify(read)}`;
}

/** For people to read, not for a shell to run. */
export function shownCommands(commands: CommandChain): string {
	return joinCommands(commands, ({ argv, redirects, patterns = [] }) => [
		...argv.map((word, index) => (patterns.includes(index) ? word : quoteArgument(word))),
		...(redirects ?? []).map((redirect) => redirectText(redirect, quoteArgument)),
	]);
}

function quoteArgument(argument: string): string {
	return PLAIN_ARGUMENT.test(argument) ? argument : JSON.stringify(argument);
}
