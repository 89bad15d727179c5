/** From the words of the command line to a command and what it was given. Pure. */
import { parseArgs } from 'node:util';
import type { CommandDef, Invocation, OptionDef } from './command.ts';
import { commands, commonOptions } from './commands.ts';
import { didYouMean, UsageError } from './usage-error.ts';

type Parsed =
	| { readonly kind: 'version' }
	/** Help of one command, or of the commands whose name begins with `topic`. */
	| { readonly kind: 'help'; readonly command: CommandDef | undefined; readonly topic: string }
	| { readonly kind: 'command'; readonly command: CommandDef; readonly invocation: Invocation };

const topics = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? name))];

export function parseInvocation(words: readonly string[]): Parsed {
	const [first = '', second = ''] = words;
	if (words.length === 0 || first === '--help' || first === '-h' || first === 'help') {
		return helpAbout(words.slice(1));
	}
	if (first === '--version' || first === '-V' || first === 'version') {
		return { kind: 'version' };
	}
	const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
	if (command === undefined) {
		return noCommand(first, second);
	}
	const invocation = invocationOf(command, words.slice(command.name.split(' ').length));
	return invocation === 'help'
		? { kind: 'help', command, topic: command.name }
		: { kind: 'command', command, invocation };
}

function helpAbout(words: readonly string[]): Parsed {
	const topic = words.filter((word) => !word.startsWith('-')).join(' ');
	return { kind: 'help', command: commands.find(({ name }) => name === topic), topic };
}

function noCommand(first: string, second: string): Parsed {
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

function invocationOf(command: CommandDef, words: readonly string[]): Invocation | 'help' {
	const known: Readonly<Record<string, OptionDef>> = { ...command.options, ...commonOptions };
	const { tokens } = parseArgs({
		args: [...words],
		options: {
			...Object.fromEntries(
				Object.entries(known).map(([name, def]) => [
					name,
					{ type: def.value === undefined ? 'boolean' : 'string' } as const,
				]),
			),
			help: { type: 'boolean', short: 'h' },
		},
		allowPositionals: true,
		strict: false,
		tokens: true,
	});
	const operands: string[] = [];
	const values: Record<string, string> = {};
	const lists: Record<string, string[]> = {};
	const switches = new Set<string>();
	for (const token of tokens) {
		if (token.kind === 'positional') {
			operands.push(token.value);
		} else if (token.kind === 'option') {
			const def = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
			if (def === undefined) {
				const names = Object.keys(known).map((name) => `--${name}`);
				throw new UsageError(`${command.name}: unknown option "${token.rawName}"${didYouMean(token.rawName, names)}`);
			}
			if (def.value === undefined) {
				if (token.value !== undefined) {
					throw new UsageError(`${command.name}: --${token.name} takes no value, got "${token.value}"`);
				}
				switches.add(token.name);
			} else {
				const value = valueOf(command, token.name, def, token.value);
				values[token.name] = value;
				if (def.isRepeatable === true) {
					(lists[token.name] ??= []).push(value);
				}
			}
		}
	}
	if (switches.has('help')) {
		return 'help';
	}
	checkOperands(command, operands);
	return { operands, values, lists, switches };
}

function valueOf(command: CommandDef, name: string, def: OptionDef, value: string | undefined): string {
	if (value === undefined || value === '') {
		throw new UsageError(`${command.name}: --${name} needs a value: --${name} ${def.value ?? ''}`);
	}
	if (def.choices !== undefined && !def.choices.includes(value)) {
		throw new UsageError(
			`${command.name}: --${name} takes ${def.choices.join(', ')}; got "${value}"${didYouMean(value, def.choices)}`,
		);
	}
	return value;
}

function checkOperands(command: CommandDef, operands: readonly string[]): void {
	const [least, most] = command.operandCount;
	if (operands.length < least) {
		throw new UsageError(`${command.name} needs ${command.operands ?? 'an operand'}`);
	}
	if (operands.length > most) {
		// Somebody who gives the value of a secret as a word is not shown it again.
		const what =
			command.name === 'secrets set' ? 'a second word; the value is typed or piped' : `"${operands[most] ?? ''}"`;
		const quote = command.name === 'run' ? ' (put the prompt in quotes)' : '';
		throw new UsageError(`${command.name}: unexpected ${what}${quote}`);
	}
}
