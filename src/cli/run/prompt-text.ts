/** The prompt: the operand, or all of standard input for `-`. */
import type { Readable } from 'node:stream';
import { limits } from '../limits.ts';
import { UsageError } from '../usage-error.ts';

/** `what` names it in errors. */
export async function promptText(operand: string, stdin: Readable, what: string, signal: AbortSignal): Promise<string> {
	const text = operand === '-' ? await allOf(stdin, what, signal) : operand;
	if (text.trim() === '') {
		throw new UsageError(`${what} is empty`);
	}
	return text;
}

async function allOf(stdin: Readable, what: string, signal: AbortSignal): Promise<string> {
	signal.throwIfAborted();
	const chunks: Buffer[] = [];
	let bytes = 0;
	// Ends the wait for more input; what `for await` then throws is the abort, told as its reason.
	const onAbort = () => stdin.destroy();
	signal.addEventListener('abort', onAbort, { once: true });
	try {
		for await (const chunk of stdin as AsyncIterable<Buffer>) {
			bytes += chunk.length;
			if (bytes > limits.promptBytes) {
				throw new UsageError(`${what} is longer than ${limits.promptBytes} bytes`);
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
