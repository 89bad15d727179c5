/** From the words of the command line to a command and what it was given. Pure. */
import type { CommandDef, Invocation } from './invocation/command.ts';
import { cliCommands } from './commands.ts';
import { readInvocation } from './invocation/invocation-of.ts';
import { didYouMean, UsageError } from './terminal/usage-error.ts';

type ParsedCommandLine =
	| { readonly kind: 'version' }
	/** Help of one command, or of the commands whose name begins with `topic`. */
	| { readonly kind: 'help'; readonly command: CommandDef | undefined; readonly topic: string }
	| { readonly kind: 'command'; readonly command: CommandDef; readonly invocation: Invocation };

const topics = [...new Set(cliCommands.map(({ name }) => name.split(' ')[0] ?? name))];

export function parseInvocation(words: readonly string[]): ParsedCommandLine {
	const [first = '', second = ''] = words;
	if (words.length === 0 || first === '--help' || first === '-h' || first === 'help') {
		return helpAbout(words.slice(1));
	}
	if (first === '--version' || first === '-V' || first === 'version') {
		return { kind: 'version' };
	}
	const command = [`${first} ${second}`, first].flatMap((words) => cliCommands.filter(({ name }) => name === words))[0];
	if (command === undefined) {
		return noCommand(first, second);
	}
	const invocation = readInvocation(command, words.slice(command.name.split(' ').length));
	return invocation === 'help'
		? { kind: 'help', command, topic: command.name }
		: { kind: 'command', command, invocation };
}

/** Returns the command or topic that these words begin with, for a hint at its help; empty: they begin with neither. */
export function findHelpTopic([first = '', second = '']: readonly string[]): string {
	const names = new Set([...cliCommands.map(({ name }) => name), ...topics]);
	return [`${first} ${second}`, first].find((name) => names.has(name)) ?? '';
}

function helpAbout(words: readonly string[]): ParsedCommandLine {
	const topic = words.filter((word) => !word.startsWith('-')).join(' ');
	return { kind: 'help', command: cliCommands.find(({ name }) => name === topic), topic };
}

function noCommand(first: string, second: string): ParsedCommandLine {
	if (!topics.includes(first)) {
		const what = first.startsWith('-') ? 'option' : 'command';
		const names = what === 'option' ? ['--help', '--version'] : topics;
		throw new UsageError(`unknown ${what} "${first}"${didYouMean(first, names)}`);
	}
	if (second === '' || second === '--help' || second === '-h') {
		return { kind: 'help', command: undefined, topic: first };
	}
	const subcommands = cliCommands
		.filter(({ name }) => name.startsWith(`${first} `))
		.map(({ name }) => name.slice(first.length + 1));
	throw new UsageError(`unknown command "${first} ${second}"${didYouMean(second, subcommands)}`);
}
