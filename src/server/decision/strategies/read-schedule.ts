/** When and what a message wants done, if it says so plainly enough to be kept as a schedule. */
import { splitWhen } from '../../../protocol/schedule/read-when.ts';

const PLEASE = /^(?:(?:please|bitte|can you|could you|kannst du)[, ]+)+/i;
const REMINDER_BEGINNING = /^(?:remind me|set a reminder|erinnere? mich)(?: bitte)?(?!\p{L})[,:]?\s*/iu;
/** Between the time and what it is about: "to call Ann", "daran, dass", "an den Termin". */
const TO = /^(?:to |that |about |daran, ?(?:dass )?|an |dass )/i;

interface ReadSchedule {
	readonly when: string;
	readonly text: string;
	readonly kind: 'prompt' | 'reminder';
}

/** `now`: for words such as "tomorrow". Undefined: the model has to ask or to find out. */
export function readSchedule(message: string, now: Date): ReadSchedule | undefined {
	const plain = message.trim().replace(PLEASE, '');
	const isReminder = REMINDER_BEGINNING.test(plain);
	const rest = plain.replace(REMINDER_BEGINNING, '').replace(/[.!]$/, '');
	const wall = {
		year: now.getFullYear(),
		month: now.getMonth() + 1,
		day: now.getDate(),
		hour: now.getHours(),
		minute: now.getMinutes(),
	};
	const split = splitWhen(rest, wall);
	if (split === undefined) {
		return undefined;
	}
	const text = split.rest.replace(/^[,:]\s*|[,:]$/g, '').trim();
	const what = isReminder ? text.replace(TO, '').replace(/[, ]+(?:daran)$/i, '') : text;
	return what === '' ? undefined : { when: split.words, text: what, kind: isReminder ? 'reminder' : 'prompt' };
}
