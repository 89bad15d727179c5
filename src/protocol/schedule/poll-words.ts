/**
 * Results of polls of a watch. They are recorded in English, as the ledger has them, and shown in the reader's language.
 */
import { type Text, text } from '../text/text.ts';

/** `line`: the last one of the output. */
export function commandPollWords(
	{ exitCode, signal }: { exitCode: number | null; signal: string | null },
	line: string,
) {
	const end = signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
	return line === '' ? end : `${end}: ${line}`;
}

export function filesPollWords(count: number): string {
	return `${count} ${count === 1 ? 'file' : 'files'}`;
}

export function addressPollWords(status: number, leadsTo: string | undefined): string {
	return `HTTP ${status}${leadsTo === undefined ? '' : `, leads to ${leadsTo}`}`;
}

/** Reads what the functions above have written; anything else stays as it is. */
export function readPollWords(recorded: string): Text {
	const [, exit, signal, , line] = /^(?:exit code (\d+)|ended by (\w+))(: (.*))?$/s.exec(recorded) ?? [];
	if (exit !== undefined) {
		return line === undefined
			? text('exit code {code}', { code: exit })
			: text('exit code {code}: {line}', { code: exit, line });
	}
	if (signal !== undefined) {
		return line === undefined
			? text('ended by {signal}', { signal })
			: text('ended by {signal}: {line}', { signal, line });
	}
	const count = /^(\d+) files?$/.exec(recorded)?.[1];
	if (count !== undefined) {
		return count === '1' ? text('1 file') : text('{n} files', { n: count });
	}
	const [, status, address] = /^HTTP (\d+), leads to (.*)$/s.exec(recorded) ?? [];
	return status === undefined
		? text('{words}', { words: recorded })
		: text('HTTP {status}, leads to {address}', { status, address: address ?? '' });
}
