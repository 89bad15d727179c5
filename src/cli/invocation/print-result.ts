/** Prints the result of a command: as JSON where the command line asks for it, otherwise as text. */
import { exitCodes } from '../terminal/exit-codes.ts';
import type { CommandContext, Invocation } from './command.ts';

export function formatJson(value: unknown): string {
	return `${JSON.stringify(value, null, 2)}\n`;
}

export function printResult(
	{ switches }: Pick<Invocation, 'switches'>,
	{ terminal }: Pick<CommandContext, 'terminal'>,
	value: unknown,
	text: string,
): number {
	terminal.out(switches.has('json') ? formatJson(value) : text);
	return exitCodes.done;
}

/** `none`: said on standard error in place of an empty list. */
export function printRows<Row>(
	{ switches }: Pick<Invocation, 'switches'>,
	{ terminal }: Pick<CommandContext, 'terminal'>,
	rows: readonly Row[],
	{ format, none }: { readonly format: (row: Row) => string; readonly none: string },
): number {
	if (switches.has('json')) {
		terminal.out(formatJson(rows));
	} else if (rows.length === 0) {
		terminal.err(none);
	} else {
		terminal.out(rows.map(format).join(''));
	}
	return exitCodes.done;
}
