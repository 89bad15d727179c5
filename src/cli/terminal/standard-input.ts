/** All of standard input, as text. */
import type { Readable } from 'node:stream';
import { cliLimits } from './limits.ts';
import { UsageError } from './usage-error.ts';

/** `what` names it in errors. Rejects with a UsageError when it is longer than `mostBytes`. */
export async function standardInput(
	stdin: Readable,
	what: string,
	mostBytes: number,
	signal: AbortSignal,
): Promise<string> {
	signal.throwIfAborted();
	const chunks: Buffer[] = [];
	let bytes = 0;
	// Ends the wait for more input; what `for await` then throws is the abort, told as its reason.
	const onAbort = () => stdin.destroy();
	signal.addEventListener('abort', onAbort, { once: true });
	try {
		for await (const chunk of stdin as AsyncIterable<Buffer>) {
			bytes += chunk.length;
			if (bytes > mostBytes) {
				throw new UsageError(`${what} is longer than ${mostBytes} bytes`);
			}
			chunks.push(chunk);
		}
	} catch (error) {
		signal.throwIfAborted();
		throw error;
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
	signal.throwIfAborted();
	return Buffer.concat(chunks).toString('utf8');
}

/** Reads a prompt: the operand, or all of standard input for `-`. `what` names it in errors. */
export async function promptText(operand: string, stdin: Readable, what: string, signal: AbortSignal): Promise<string> {
	const text = operand === '-' ? await standardInput(stdin, what, cliLimits.promptBytes, signal) : operand;
	if (text.trim() === '') {
		throw new UsageError(`${what} is empty`);
	}
	return text;
}
