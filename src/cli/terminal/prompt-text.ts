/** The prompt: the operand, or all of standard input for `-`. */
import type { Readable } from 'node:stream';
import { cliLimits } from './limits.ts';
import { standardInput } from './standard-input.ts';
import { UsageError } from './usage-error.ts';

/** `what` names it in errors. */
export async function promptText(operand: string, stdin: Readable, what: string, signal: AbortSignal): Promise<string> {
	const text = operand === '-' ? await standardInput(stdin, what, cliLimits.promptBytes, signal) : operand;
	if (text.trim() === '') {
		throw new UsageError(`${what} is empty`);
	}
	return text;
}
