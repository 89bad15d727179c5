/** Values that a person types, as commands read them. */
import type { Invocation } from './command.ts';
import { UsageError } from '../terminal/usage-error.ts';

interface TypedName {
	readonly name: string;
	readonly type: string | undefined;
}

/** Name of a capability as it is typed: by itself, with `--type`, or as it is listed everywhere: `type/name`. */
export function typedName({ operands: [typed = ''], values: { type } }: Invocation, command: string): TypedName {
	// Allow a slash after an @: a version or an index follows there.
	const [, before, name] = /^([^/@\\]+)\/([^/@\\]+(?:@[^]*)?)$/.exec(typed) ?? [];
	if (before === undefined || name === undefined || /^\.{1,2}$/.test(before)) {
		return { name: typed, type };
	}
	if (type !== undefined && type !== before) {
		throw new UsageError(`${command}: "${typed}" is no ${type}; leave --type out`);
	}
	return { name, type: before };
}

/** Value of an option: a whole number from 1 to `most`. */
export function readNumberOption({ values }: Invocation, name: string, fallback: number, most: number): number {
	const given = values[name];
	if (given === undefined) {
		return fallback;
	}
	const number = Number(given);
	if (!/^\d+$/.test(given) || number < 1 || number > most) {
		throw new UsageError(`--${name} takes a number from 1 to ${most}; got "${given}"`);
	}
	return number;
}
