/** From the words of the command line to a command and what it was given. Pure. */
import type { CommandDef, Invocation } from './invocation/command.ts';
import { readInvocation } from './invocation/invocation-of.ts';
import { didYouMean, UsageError } from './terminal/usage-error.ts';

type ParsedCommandLine =
	| { readonly kind: 'version' }
	/** Help of one command, or of the commands whose name begins with `topic`. */
	| { readonly kind: 'help'; readonly command: CommandDef | undefined; readonly topic: string }
	| { readonly kind: 'command'; readonly command: CommandDef; readonly invocation: Invocation };

export function listTopics(commands: readonly CommandDef[]): string[] {
	return [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? name))];
}

export function parseInvocation(words: readonly string[], commands: readonly CommandDef[]): ParsedCommandLine {
	const [first = '', second = ''] = words;
	if (words.length === 0 || first === '--help' || first === '-h' || first === 'help') {
		return helpAbout(words.slice(1), commands);
	}
	if (first === '--version' || first === '-V' || first === 'version') {
		return { kind: 'version' };
	}
	const command = [`${first} ${second}`, first].flatMap((words) => commands.filter(({ name }) => name === words))[0];
	if (command === undefined) {
		return noCommand(first, second, commands);
	}
	const invocation = readInvocation(command, words.slice(command.name.split(' ').length));
	return invocation === 'help'
		? { kind: 'help', command, topic: command.name }
		: { kind: 'command', command, invocation };
}

/** Returns the command or topic that these words begin with, for a hint at its help; empty: they begin with neither. */
export function findHelpTopic([first = '', second = '']: readonly string[], commands: readonly CommandDef[]): string {
	const names = new Set([...commands.map(({ name }) => name), ...listTopics(commands)]);
	return [`${first} ${second}`, first].find((name) => names.has(name)) ?? '';
}

function helpAbout(words: readonly string[], commands: readonly CommandDef[]): ParsedCommandLine {
	const topic = words.filter((word) => !word.startsWith('-')).join(' ');
	return { kind: 'help', command: commands.find(({ name }) => name === topic), topic };
}

function noCommand(first: string, second: string, commands: readonly CommandDef[]): ParsedCommandLine {
	const topics = listTopics(commands);
	if (!topics.includes(first)) {
		const what = first.startsWith('-') ? 'option' : 'command';
		const names = what === 'option' ? ['--help', '--version'] : topics;
		throw new UsageError(`unknown ${what} "${first}"${didYouMean(first, names)}`);
	}
	if (second === '' || second === '--help' || second === '-h') {
		return { kind: 'help', command: undefined, topic: first };
	}
	const subcommands = commands
		.filter(({ name }) => name.startsWith(`${first} `))
		.map(({ name }) => name.slice(first.length + 1));
	throw new UsageError(`unknown command "${first} ${second}"${didYouMean(second, subcommands)}`);
}
