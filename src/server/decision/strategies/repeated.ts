/** A message that asks for something to be done again and again, or once at a named time. */
const UNIT_EN = '(?:minutes?|hours?|days?|weeks?|months?)';
const UNIT_DE = '(?:minuten?|stunden?|tage?n?|wochen?|monate?n?)';
const DAY_EN = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const DAY_DE = '(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch';
const CLOCK = "(?:\\d{1,2}(?:[:.]\\d{2})?\\s?(?:am|pm|uhr|o'clock)?|noon|midnight|mittag|mitternacht)";
const COUNT = '(?:an?|one|two|three|four|five|ten|einer|einem|zwei|drei|vier|fünf|zehn|\\d{1,3})';
const AGAIN = new RegExp(
	[
		`\\bevery (?:(?:other|\\d{1,3}|two|three|four|single|few) )?(?:${UNIT_EN}|${DAY_EN}|weekday|weekend|morning|evening|night|afternoon)s?\\b`,
		`\\beach (?:day|week|month|morning|evening|night|${DAY_EN}|weekday)\\b`,
		`\\b(?:on )?(?:${DAY_EN}s|weekdays) (?:at|um) ${CLOCK}`,
		`(?<!\\p{L})alle (?:\\d{1,3}|paar|zwei|drei|vier|fünf|zehn) ${UNIT_DE}(?!\\p{L})`,
		`(?<!\\p{L})(?:jede[nrs]?) (?:(?:zweite[nrs]?) )?(?:tag|woche|monat|stunde|minute|morgen|abend|nacht|werktag|wochentag|${DAY_DE})(?!\\p{L})`,
		`(?<!\\p{L})(?:(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|werktags) (?:um|immer|gegen)(?!\\p{L})`,
		'\\bevery \\d{1,2}(?:st|nd|rd|th)(?: of)?\\b|\\bof every month\\b|(?<!\\p{L})jedes monats(?!\\p{L})',
		'\\bonce (?:a|per|every) (?:hour|day|week|month)\\b|(?<!\\p{L})einmal (?:am tag|die woche|im monat|pro (?:stunde|tag|woche|monat))(?!\\p{L})',
		`(?<!\\p{L})(?:hourly|daily|weekly|monthly|nightly|stündlich|täglich|wöchentlich|monatlich|nächtlich) (?:at|um) ${CLOCK}`,
	].join('|'),
	'iu',
);
/** Words that stand for a repetition only where they begin or end the message, since "the daily report" is a thing. */
const ADVERB = '(?:hourly|daily|weekly|monthly|nightly|stündlich|täglich|wöchentlich|monatlich|nächtlich)';
const ADVERB_AT_EDGE = new RegExp(
	`^${ADVERB}(?:[,:]| at| um|$)|^(?:stündlich|täglich|wöchentlich|monatlich|nächtlich) |(?<!\\p{L})${ADVERB}(?: (?:at|um) ${CLOCK})?[.!]?$`,
	'iu',
);
const REMINDER_REQUEST =
	/^(?:(?:please|bitte|can you|could you|kannst du)[, ]+)?(?:remind me|set a reminder|erinnere? mich|erinner mich daran)(?!\p{L})/iu;
const LATER = new RegExp(
	`^(?:tomorrow|morgen|tonight|heute abend|in ${COUNT} (?:${UNIT_EN}|${UNIT_DE})|(?:on )?${DAY_EN} at ${CLOCK}|(?:am )?(?:${DAY_DE}) um ${CLOCK})(?: (?:at|um) ${CLOCK})?[,:]? `,
	'iu',
);
const LATER_AT_END = new RegExp(
	`(?<!\\p{L})(?:tomorrow|morgen|on ${DAY_EN}|am (?:${DAY_DE})) (?:at|um) ${CLOCK}[.!]?$|(?<!\\p{L})in ${COUNT} (?:minutes?|hours?|minuten?|stunden?)[.!]?$|\\bat (?:midnight|noon)[.!]?$|^um mitternacht |^(?:schau|sieh|prüfe?|look|check) .{0,40}in ${COUNT} (?:minutes?|hours?|minuten?|stunden?)(?!\\p{L})`,
	'iu',
);
/** Code that is to do it by itself: then the repetition is what is built. */
const BUILDS_SCHEDULING =
	/\b(?:cron(?:job)?|workflow|github action|function|class|method|timer|setInterval|component|endpoint|funktion|klasse|methode|komponente|implement|implementiere|refactor)(?!\p{L})|\.(?:ts|js|py|go|rs|java|yml|yaml)\b/iu;

export function isRepeated(text: string): boolean {
	if (REMINDER_REQUEST.test(text)) {
		return true;
	}
	const isTimed = AGAIN.test(text) || ADVERB_AT_EDGE.test(text) || LATER.test(text) || LATER_AT_END.test(text);
	return isTimed && !BUILDS_SCHEDULING.test(text);
}
