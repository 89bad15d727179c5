/** From the words after the name of a command to what it was given. Pure. */
import { parseArgs } from 'node:util';
import type { CommandDef, Invocation, OptionDef } from './command.ts';
import { commonOptions } from './shared-options.ts';
import { didYouMean, UsageError } from '../terminal/usage-error.ts';

type Definition = Omit<CommandDef, 'load'>;

/** Reads a command's invocation from the words after its name. Throws a UsageError when they do not fit the command. */
export function readInvocation(command: Definition, words: readonly string[]): Invocation | 'help' {
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
				const value = requireOptionValue(command, token.name, def, token.value);
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

function requireOptionValue(command: Definition, name: string, def: OptionDef, value: string | undefined): string {
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

function checkOperands(command: Definition, operands: readonly string[]): void {
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
