/** Signs in a message, in English and German, that it wants another strategy than a direct answer. */

const LISTED_STEP = /(?:^|\n)\s*(?:[-*•]|\d{1,2}[.)])\s+\S/g;
/** Words that name an order. */
const ORDER_WORDS =
	/(?<!\p{L})(?:then|after that|afterwards|next|finally|lastly|first|second|third|dann|danach|anschließend|zuerst|zunächst|zum schluss|schließlich|abschließend|erst|zweitens|drittens)(?!\p{L})/giu;
/** Work that is large by its nature, with what it is done to. */
const LARGE =
	/(?:^|[\s,;])(?:make|replace|write the|modernisiere?|ersetze?|mach|migrate|port|rewrite|redesign|re-?architect|modernize|set up|build|create|develop|implement|convert|migriere?|portiere?|schreibe? .{1,60} neu|überarbeite?|baue?|entwickle?|erstelle?|implementiere?|richte)(?!\p{L})/iu;
const WHOLE_SYSTEM =
	/(?<!\p{L})(?:from scratch|end[- ]to[- ]end|(?:the )?(?:whole|entire|complete) (?:checkout|client|api client|app|application|project|codebase|code base|repo(?:sitory)?|system|module|service|api|frontend|backend|code)|(?:including|with) (?:\p{L}+,? ){0,6}(?:tests?|docs|documentation)(?: and (?:docs|documentation|tests|ci))|von grund auf|(?:das|die|den|der|dem) (?:ganze|gesamte|komplette)[nrsm]? (?:app|anwendung|projekt|codebasis|system|modul|dienst|api|oberfläche|frontend|backend)|(?:der|dem) (?:ganzen|gesamten) (?:app|anwendung|codebasis)|(?:samt|einschließlich|inklusive|mit) (?:\p{L}+,? ){0,4}(?:tests?|doku(?:mentation)?) und (?:tests?|doku(?:mentation)?|ci))(?!\p{L})/iu;
/** A matter with its parts, the tests or the documents among them. */
const NAMED_PARTS =
	/(?:including|with|:|samt|mit) (?:[\p{L}-]+(?: [\p{L}-]+)?, ){1,5}(?:[\p{L}-]+ ){0,2}(?:and|und) (?:tests?|docs|documentation|doku|ci)(?!\p{L})/iu;
/** To think a matter through and to do it. */
const PLANNED =
	/^(?:please |bitte )?(?:plan(?:e)? .*(?:and carry|und führe)|(?:plan|design) and (?:carry out|implement|build))/iu;
const STEP_WORDS = 2;
const LIST_LINES = 3;

/** Returns true for a message whose work has several steps that build on each other. */
export function hasSeveralSteps(text: string): boolean {
	if ((text.match(LISTED_STEP)?.length ?? 0) >= LIST_LINES) {
		return true;
	}
	const order = new Set(Array.from(text.matchAll(ORDER_WORDS), ([word]) => word.toLowerCase()));
	return (
		order.size >= STEP_WORDS ||
		NAMED_PARTS.test(text) ||
		PLANNED.test(text) ||
		(LARGE.test(text) && WHOLE_SYSTEM.test(text))
	);
}

const THINGS =
	'(?:archives?|files?|folders?|director(?:y|ies)|packages?|modules?|images?|branches|repos(?:itories)?|rows?|lines?|csvs?|jsons?|components?|\\p{L}*-?dateien?|\\p{L}*ordnern?|komponenten?|verzeichnis(?:se[ns]?)?|paketen?|pakete|modulen?|bildern?|bilder|zeilen?|bild|\\p{L}*-?datei|paket|modul)';
const MANY = new RegExp(`(?<!\\p{L})${THINGS}(?!\\p{L})`, 'iu');
/** The words between may say which of them. */
const ALL_OF_THEM = new RegExp(
	`(?<!\\p{L})(?:all|every|each|alle[nrs]?|jede[nrsm]?) (?:[^\\s,;]+ ){0,3}?${THINGS}(?!\\p{L})`,
	'iu',
);
const BULK =
	/(?:^|[\s,;(])(?:rename|convert|resize|compress|extract|copy|move|normalize|format|count|collect|prepend|append|strip|download|export|delete|remove|replace|update|sort|process|add|lint|generate|lösche?|entferne?|ersetze?|aktualisiere?|sortiere?|verarbeite?|füge|erzeuge?|lege?|prüfe|benenne?|konvertiere?|wandle?|verkleinere?|komprimiere?|extrahiere?|kopiere?|verschiebe?|normalisiere?|formatiere?|zähle?|sammle?)(?!\p{L})/iu;
const BEGINS_WITH_EACH = /^(?:for (?:each|every)|in (?:each|every)|für jede[nrs]?|in jede[rm]) /i;
const SCRIPT_BY_NAME =
	/(?<!\p{L})(?:(?:as|with|by|in) (?:a|one) (?:script|pipeline)|als (?:ein |eine )?(?:skript|pipeline)|mit einem skript|(?:make|write|build) a (?:script|pipeline) (?:that|to|which)|(?:baue?|schreibe?) (?:ein|eine) (?:skript|pipeline)|batch[- ](?:process|convert|rename))(?!\p{L})/iu;

/** Steps that name their order are a plan, also where one of them is for many things; what begins with each thing is none. */
const ORDERED_STEPS =
	/(?<!\p{L})(?:first|zuerst|zunächst|erst|als erstes)(?!\p{L}).{3,400}?(?<!\p{L})(?:then|after that|afterwards|finally|dann|danach|anschließend|schließlich|zum schluss)(?!\p{L})/isu;

/** Returns true for a message that asks for the same steps for each of many things, which a script does alike every time. */
export function isPipeline(text: string): boolean {
	return (
		SCRIPT_BY_NAME.test(text) ||
		(BEGINS_WITH_EACH.test(text) && MANY.test(text)) ||
		(BULK.test(text) && ALL_OF_THEM.test(text) && !ORDERED_STEPS.test(text))
	);
}

const SUB_AGENT_BY_NAME =
	/(?<!\p{L})(?:(?:start|spawn|use|launch|create|let|have|give|hand|run|assign|send|starte?|nimm|nutze?|verwende|beauftrage|erstelle|lass|schicke?) (?:\p{L}+ ){0,5}?(?:(?:sub|unter)-?agent(?:en|s)?|(?:another|separate|anderen|zweiten) agent(?:en)?)|(?:an?|ein) (?:sub|unter)-?agent (?:should|shall|soll|kann)|(?:to|with|an|mit|by) (?:an?|einem|einen) (?:separate |own |eigenen |zweiten )?(?:sub|unter)-?agent(?:en)?)(?!\p{L})/iu;
const WATCH =
	/^(?:(?:please|bitte|can you|could you|kannst du)[, ]+)?(?:keep an eye on|keep watching|keep monitoring|watch (?:over )?(?!out\b)|monitor |behalte? .{1,80} im (?:auge|blick)|überwache? |beobachte? )/iu;
const BESIDE =
	/(?<!\p{L})(?:in the background|im hintergrund|while i (?:work|go|keep|continue)|während ich|in parallel to (?:this|my)|nebenbei|nebenher)(?!\p{L})/iu;
/** Code that runs beside something, or watches something, is what is built. */
const BUILDS_WATCHING =
	/(?<!\p{L})(?:watch mode|implement|write (?:a|an|the) (?:function|class|watcher|script|test)|thread|worker|process|daemon|service|function|runs? in the background|running in the background|css|color|colour|image|bild|farbe|implementiere|funktion|läuft im hintergrund)(?!\p{L})/iu;

/** Returns true for a message that asks for somebody who stays with a matter, or works on it beside this thread. */
export function isAboutWatching(text: string): boolean {
	return SUB_AGENT_BY_NAME.test(text) || (BESIDE.test(text) && !BUILDS_WATCHING.test(text));
}

/** Being told when something happens that is not named as a condition: a model finds out how to see it. */
const TOLD_WHEN =
	/^(?:(?:please|bitte|can you|could you|kannst du)[, ]+)?(?:(?:tell me|let me know|notify me) (?:as soon as|when|once)|(?:sag(?:e)? mir(?: bescheid)?|benachrichtige? mich|melde? dich),? (?:sobald|wenn)) /iu;

/** Returns true for a message that wants something watched; a sub-agent that rests watches nothing. */
export function isWatch(text: string): boolean {
	return (WATCH.test(text) || TOLD_WHEN.test(text)) && !SUB_AGENT_BY_NAME.test(text) && !BUILDS_WATCHING.test(text);
}

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

/** Returns true for a message that asks for something to be done again and again, or once at a named time. */
export function isRepeated(text: string): boolean {
	if (REMINDER_REQUEST.test(text)) {
		return true;
	}
	const isTimed = AGAIN.test(text) || ADVERB_AT_EDGE.test(text) || LATER.test(text) || LATER_AT_END.test(text);
	return isTimed && !BUILDS_SCHEDULING.test(text);
}
