/** Options that mean the same in several parts of the table of commands. */
import type { OptionDef } from './command.ts';

export const json: OptionDef = { description: 'machine-readable output on standard output' };

export const ofType = {
	type: { value: 'TYPE', description: 'when several types have one of that name, e.g. skill' },
} as const satisfies Record<string, OptionDef>;
