/** An error as a person at a terminal reads it: what is wrong, what exactly failed, and what to do about it. */
import { causeForUser, detailForUser, wayOutForUser } from '../../protocol/errors/error-text.ts';
import { type DispatchError, failedOpOf } from '../../protocol/execution/execution.ts';
import { whatToDo } from './what-to-do.ts';

export function messageFor(error: DispatchError): string {
	const detail = detailForUser(error);
	const advice = whatToDo(failedOpOf(error) ?? error) ?? wayOutForUser(error, (template) => template);
	const lines = [
		`prowess: ${causeInEnglish(error)} (${error.code})`,
		...(detail === undefined ? [] : [detail]),
		...(advice === undefined ? [] : [advice]),
	];
	return `${lines.join('\n')}\n`;
}

/** What happened and why, without what to do about it. */
export function causeInEnglish(error: DispatchError): string {
	return causeForUser(error, (template) => template);
}
