import type { Invocation } from './command.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** A whole number from 1 to `most`. */
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
