/**
 * Wishes of the user that need no model, as their whole message says them, in English or German. The server reads them to act;
 * the host reads them from the message that it saw itself, so no server can claim a wish.
 */

export interface CapabilitySwitchWish {
	readonly isEnabled: boolean;
	readonly type?: string | undefined;
	readonly name: string;
}

export interface PauseWish {
	readonly isPaused: boolean;
	/** Words of its prompt, or its id; absent: the only schedule there is. */
	readonly name?: string | undefined;
}

/** Parts of which every message that means a capability has one. */
const KIND_WORDS = ['capability ', 'skill ', 'power ', 'talent ', 'fähigkeit '];
const KIND = '(?:capability|skill|power|talent|fähigkeit)';
const CAPABILITY_NAME = '(?:([a-z0-9-]+)/)?((?:[a-z0-9][a-z0-9.-]*:)?[\\p{L}\\p{N}][\\p{L}\\p{N}:-]*)';
const SWITCH_REQUEST = new RegExp(
	`^(enable|disable|aktiviere|deaktiviere) (?:the |my |die |den |das )?${KIND} [\`"]?${CAPABILITY_NAME}[\`"]?[.!]?$`,
	'iu',
);
const REMEMBER =
	/^((?:please |bitte )?(?:(?:remember(?: this| that)?|merke? dir(?: bitte)?)(?:[:,]? dass|[:,]? that|:|,)|note:))\s+(\S[\s\S]*)$/i;
/** Where a second statement may begin, such as an order: what is meant by it is the model's to say. */
const SECOND_STATEMENT = /[.,;:!?…]["'”“)]*\s|\s[(&–—-]|\b(?:and|then|so|but|und|dann|aber)\b|\n|\?$/i;

const SCHEDULE = {
	en: '(?:schedule|scheduled (?:run|prompt|task)|reminder)',
	de: '(?:zeitplan|geplanten lauf|erinnerung)',
};
const QUOTED_WORDS = '(?: ["“„`]?([^"“”„`\\n]{1,200}?)["“”`]?)?';
const PAUSE = new RegExp(
	`^(?:please |bitte )?(?:(pause|resume) (?:the |my )?${SCHEDULE.en}${QUOTED_WORDS}|(pausiere?|halte?(?=.* an[.!]?$)|setze?(?=.* fort[.!]?$)) (?:den |die |meinen |meine )?${SCHEDULE.de}${QUOTED_WORDS}(?: (?:an|fort))?)[.!]?$`,
	'i',
);

const GOES_ON = /^(?:please |bitte )?(?:continue|go on|keep going|carry on|weiter|mach weiter|fahre? fort)[.!]?$/i;

/** Beginnings of the messages that the patterns above fit: with another one, nothing is compiled. */
const GOING_BEGINNINGS = 'please bitte continue go keep carry weiter mach fahr'.split(' ');
const MEMORY_BEGINNINGS = 'please bitte remember merk note'.split(' ');
const PAUSE_BEGINNINGS = 'please bitte pause resume pausier halt setz'.split(' ');

function mayBeginWith(beginnings: readonly string[], text: string): boolean {
	const low = text.trimStart().slice(0, 20).toLowerCase();
	return beginnings.some((beginning) => low.startsWith(beginning));
}

/** Returns true when the message only has the agent go on with what it was at, as the button *Continue* says it. */
export function goesOn(text: string): boolean {
	return mayBeginWith(GOING_BEGINNINGS, text) && GOES_ON.test(text.trim());
}

/**
 * Returns true when the message may mean a capability by a word for its kind. Cheap: ask it before anything that takes
 * longer.
 */
export function namesKind(text: string): boolean {
	const low = text.toLowerCase();
	return KIND_WORDS.some((word) => low.includes(word));
}

/** Undefined: the message asks for more, or for something else. */
export function switchWish(text: string): CapabilitySwitchWish | undefined {
	const [, verb = '', type, name] = (namesKind(text) ? SWITCH_REQUEST.exec(text.trim()) : null) ?? [];
	return name === undefined ? undefined : { isEnabled: /^(?:enable|aktiviere)$/i.test(verb), type, name };
}

/** Text to be remembered, a single statement; undefined: the message may ask for more, or for something else. */
export function rememberWish(text: string): string | undefined {
	const [, lead = '', what] = (mayBeginWith(MEMORY_BEGINNINGS, text) ? REMEMBER.exec(text.trim()) : null) ?? [];
	const isClause = / (?:that|dass)$/i.test(lead);
	return what === undefined || !isOneStatement(what) || !isStatement(what, isClause) ? undefined : what;
}

/** Returns true when the text says one thing, so that nothing it says can be overlooked. */
export function isOneStatement(text: string): boolean {
	return !SECOND_STATEMENT.test(text);
}

/**
 * Returns true when the text says something about somebody or something. An order begins with its verb, so a text that does not
 * begin with its subject may be one; behind "that", it is one where it is about the agent, or says what is still to be done.
 */
function isStatement(text: string, isClause: boolean): boolean {
	const [first = '', ...others] = text.toLowerCase().split(' ');
	if (TO_BE_DONE.has(others[0] ?? '') && SPEAKERS.has(first)) {
		return false;
	}
	return isClause ? !AGENT_WORDS.has(first) : SUBJECT_WORDS.has(first);
}

const AGENT_WORDS = new Set(['you', 'du', 'sie', 'to']);
const SPEAKERS = new Set(['i', 'we', 'wir', 'ich']);
const TO_BE_DONE = new Set(
	'want need should must have would müssen muss sollten sollen brauchen möchte will wollen'.split(' '),
);
/** First words of a sentence that says something; no order begins with one. */
const SUBJECT_WORDS = new Set(
	'i we he she it they the a an this these those there my our their all every each no nobody wir ich er es der die das ein eine dieser diese dieses mein meine unser unsere alle jeder jede jedes kein keine man'.split(
		' ',
	),
);

const CLAUSE_WORDS = new Set('when while if until unless once wenn sobald während solange falls bis'.split(' '));

/** Undefined: the message asks for more, or for something else. */
export function pauseWish(text: string): PauseWish | undefined {
	const [, verb, name, verbDe, nameDe] = (mayBeginWith(PAUSE_BEGINNINGS, text) ? PAUSE.exec(text.trim()) : null) ?? [];
	const said = (verb ?? verbDe)?.toLowerCase();
	const named = (name ?? nameDe)?.trim();
	// A clause says when a program is to do it.
	const isClause = CLAUSE_WORDS.has(named?.split(' ', 1)[0]?.toLowerCase() ?? '');
	return said === undefined || isClause
		? undefined
		: { isPaused: said !== 'resume' && !said.startsWith('setz'), name: named };
}
