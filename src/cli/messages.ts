/** An error as a person at a terminal reads it: what is wrong, and what to do about it. */
import type { OpError } from '../protocol/broker.ts';
import { whatToDo } from './what-to-do.ts';

export function messageFor(error: Pick<OpError, 'code' | 'message'>): string {
	const advice = whatToDo(error);
	return `prowess: ${error.message} (${error.code})\n${advice === undefined ? '' : `${advice}\n`}`;
}
