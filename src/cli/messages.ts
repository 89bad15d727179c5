/** An error as a person at a terminal reads it: what is wrong, and what to do about it. */
import { type DispatchError, failedOpOf } from '../protocol/execution.ts';
import { whatToDo } from './what-to-do.ts';

export function messageFor(error: DispatchError): string {
	const advice = whatToDo(failedOpOf(error) ?? error);
	return `prowess: ${error.message} (${error.code})\n${advice === undefined ? '' : `${advice}\n`}`;
}
