/** An error as a person at a terminal reads it: what is wrong, what exactly failed, and what to do about it. */
import { causeForUser, detailForUser, wayOutForUser } from '../../protocol/errors/error-text.ts';
import { type DispatchError, findFailedOp } from '../../protocol/execution/execution.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { whatToDo } from './what-to-do.ts';

/** `threadId`: the thread in which it happened, for what to do about it. */
export function messageFor(error: DispatchError, threadId?: ThreadId): string {
	const detail = detailForUser(error);
	const advice = whatToDo(findFailedOp(error) ?? error, threadId) ?? wayOutForUser(error, (template) => template);
	const lines = [
		`prowess: ${causeInEnglish(error)} (${error.code})`,
		...(detail === undefined ? [] : [detail]),
		...(advice === undefined ? [] : [advice]),
	];
	return `${lines.join('\n')}\n`;
}

/** Returns what happened and why, without advice. */
export function causeInEnglish(error: DispatchError): string {
	return causeForUser(error, (template) => template);
}

/** Number and noun, in the singular for one: `1 row`, `2 rows`. */
export function pluralizeCount(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
