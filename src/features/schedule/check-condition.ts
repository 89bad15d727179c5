/** Checks the condition of a watch before anything is polled, and says what a poll of it reaches. */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { parseTargetUrl } from '../../machine/http/target-url.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { readShellLine } from '../../protocol/ops/commands/read-shell-line.ts';
import type { WatchCondition } from '../../protocol/schedule/watch-condition.ts';
import { text } from '../../protocol/text/text.ts';
import { scheduleLimits } from './limits.ts';

/** Shorter than `pollMs`, until which no other process polls. */
export const POLL_COMMAND_MS = scheduleLimits.pollMs * 0.75;
/** Wildcards of a path. */
export const PATH_WILDCARD = /[*?[\]{}]/;

/** Throws what can be told of a condition before anything is polled. */
export function checkCondition(condition: WatchCondition): void {
	switch (condition.kind) {
		case 'command':
			readCommandLine(condition.what);
			return;
		case 'ref':
			checkRef(condition);
			return;
		case 'address':
			parseTargetUrl(condition.what);
			return;
		case 'files':
			if (/^(?:[/\\~]|[A-Za-z]:)/.test(condition.what) || condition.what.split(/[\\/]/).includes('..')) {
				throw new ProwessError('PATH_OUTSIDE_WORKSPACE', `"${condition.what}" is outside the workspace`, {
					path: condition.what,
				});
			}
	}
}

/** Host of an address, as rules name it: the consent to the watch covers it. Undefined: the condition names none. */
export function hostOfCondition({ kind, what, remote }: WatchCondition): string | undefined {
	const address = kind === 'address' ? what : remote !== undefined && isRemoteAddress(remote) ? remote : undefined;
	return address === undefined ? undefined : parseTargetUrl(address).host;
}

export function readCommandLine(line: string) {
	const read = readShellLine(line);
	if (read === undefined) {
		throw new ProwessError('INVALID_PARAMS', `"${line}" cannot be read as a command`, {
			said: text(
				'"{line}" cannot be read as a command. Write a program with its arguments; variables are not understood.',
				{
					line,
				},
			),
		});
	}
	return { ...read, timeoutMs: POLL_COMMAND_MS };
}

function checkRef({ what, remote = 'origin' }: WatchCondition): void {
	const isName = (name: string) => /^[\p{L}\p{N}_][\p{L}\p{N}_./-]*$/u.test(name) && !name.includes('..');
	if (!isName(what) || !(isName(remote) || isRemoteAddress(remote))) {
		throw new ProwessError('INVALID_PARAMS', `"${what}" is not the name of a ref`, {
			said: text('"{ref}" is not the name of a branch or tag.', { ref: what }),
		});
	}
	if (isRemoteAddress(remote)) {
		parseTargetUrl(remote);
	}
}

export function isRemoteAddress(remote: string): boolean {
	return /^https?:\/\//i.test(remote);
}

/** Path below which all lies that the condition means; empty: anywhere in the folder. */
export function pathBeforeWildcards(what: string): string {
	const parts = what.replace(/^\.\//, '').replace(/\/+$/, '').split('/');
	const upTo = parts.findIndex((part) => PATH_WILDCARD.test(part) || part === '.');
	return (upTo === -1 ? parts : parts.slice(0, upTo)).join('/');
}

/** Why a poll found nothing, for the record. */
export function describeProblem(error: unknown): string {
	return isProwessError(error) ? `${error.code}: ${error.message}` : toErrorMessage(error);
}
