/** Reads one line that a person types or pastes and nobody sees: for secrets. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Stopped } from './interruption.ts';
import type { Terminal } from './terminal.ts';

/**
 * Asks on standard error. The terminal is back as it was when this settles. Empty at the end of input (Ctrl+D); rejects with
 * the reason of the signal, and with `Stopped` at Ctrl+C, which the terminal hands over as a key while it shows nothing.
 */
export function hiddenLine(terminal: Terminal, question: string, signal: AbortSignal): Promise<string> {
	signal.throwIfAborted();
	const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
	const lines = createInterface({ input: terminal.stdin, output: unseen, terminal: true, historySize: 0 });
	// Only now: what is typed before the terminal has stopped showing it would be seen.
	terminal.err(question);
	return new Promise<string>((resolve, reject) => {
		const onAbort = () => {
			reject(signal.reason as Error);
			lines.close();
		};
		signal.addEventListener('abort', onAbort, { once: true });
		lines.once('SIGINT', () => {
			reject(new Stopped('stopped by Ctrl+C'));
			lines.close();
		});
		lines.once('line', (line) => {
			// First: closing settles as well, with nothing.
			resolve(line);
			lines.close();
		});
		lines.once('close', () => {
			signal.removeEventListener('abort', onAbort);
			terminal.err('\n');
			resolve('');
		});
	});
}
