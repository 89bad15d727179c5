/** An error in words, one function for each audience: the user, the model, the log. No text of one is made from another's. */
import { type ErrorCode, type ErrorFacts, isErrorCode } from './errors.ts';
import { fillTemplate, isText, listTemplateNames, type Translation, translateText } from '../text/text.ts';
import { ERROR_CATALOG } from './catalog.ts';

/** Error as it is thrown, or as it came over a wire. */
export interface AnyError {
	/** An error code of ours. A number is a code of the wire, which means a bug of ours. Without either, the message is the text. */
	readonly code?: unknown;
	readonly message: string;
	readonly facts?: ErrorFacts | undefined;
}

/** Full sentences: what happened and why, then the way out. */
export function textForUser(error: AnyError, translate: Translation): string {
	const wayOut = wayOutForUser(error, translate);
	return `${causeForUser(error, translate)}${wayOut === undefined ? '' : ` ${wayOut}`}`;
}

/** Cause: what happened and why. */
export function causeForUser(error: AnyError, translate: Translation): string {
	const code = findErrorCode(error);
	return toSentence(
		code === undefined
			? error.message
			: fillErrorText(chooseErrorText(ERROR_CATALOG[code].user, error), error, translate),
	);
}

/** Way out: what the user can do; undefined where nothing is certain to help. */
export function wayOutForUser(error: AnyError, translate: Translation): string | undefined {
	const code = findErrorCode(error);
	const wayOut = code === undefined ? undefined : ERROR_CATALOG[code].wayOut;
	return wayOut === undefined ? undefined : fillErrorText(chooseErrorText(wayOut, error), error, translate);
}

/** Detail below the user's text, untranslated: what exactly failed; undefined if that text says it already. */
export function detailForUser(error: AnyError): string | undefined {
	const code = findErrorCode(error);
	if (code === undefined || ERROR_CATALOG[code].isWhole === true) {
		return undefined;
	}
	return listTemplateNames(chooseErrorText(ERROR_CATALOG[code].user, error)).length > 0
		? undefined
		: toSentence(error.message);
}

/** `CODE: what happened, and what to do next`. */
export function textForModel(error: AnyError): string {
	const code = findErrorCode(error) ?? 'INTERNAL';
	return `${code}: ${fillErrorText(chooseErrorText(ERROR_CATALOG[code].model, error), error, (template) => template)}`;
}

/** A line for the log: the code, the kind of failure, the message, the facts. */
export function lineForLog(error: AnyError): string {
	const code = findErrorCode(error);
	if (code === undefined) {
		return error.message;
	}
	// The message says it already.
	const { said: _, ...others } = error.facts ?? {};
	const facts = Object.keys(others).length === 0 ? '' : ` ${JSON.stringify(others)}`;
	return `${code} (${ERROR_CATALOG[code].log}): ${error.message}${facts}`;
}

/**
 * With a full stop, and a capital where the first word is one of ours: what begins with a name (a path, a program) keeps it as it is.
 */
export function toSentence(message: string): string {
	const said = OPENER.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message;
	return /[.!?…]["”]?$/.test(said) ? said : `${said}.`;
}

const OPENER = /^(?:an?|another|cannot|it|its|neither|no|nobody|nothing|stopped|the|there|this|what|which)\b(?![./\\])/;

function findErrorCode({ code }: AnyError): ErrorCode | undefined {
	return typeof code === 'number' ? 'INTERNAL' : isErrorCode(code) ? code : undefined;
}

function chooseErrorText(texts: string | readonly string[], error: AnyError): string {
	const all = typeof texts === 'string' ? [texts] : texts;
	const isKnown = (name: string) => findErrorFact(error, name, (template) => template) !== undefined;
	return all.find((each) => listTemplateNames(each).every(isKnown)) ?? all.at(-1) ?? '';
}

function fillErrorText(template: string, error: AnyError, translate: Translation): string {
	return fillTemplate(translate(template), (name) => findErrorFact(error, name, translate));
}

/** Facts that count something; a port, a line or an exit code does not. */
const AMOUNTS: ReadonlySet<string> = new Set(['length', 'limit', 'chars', 'bytes', 'tokens']);

/** A long number in groups of three, with the narrow space that stands for no language in particular. */
function groupDigits(amount: number): string {
	return Math.abs(amount) < 10_000 ? String(amount) : String(amount).replaceAll(/\B(?=(?:\d{3})+(?!\d))/g, '\u202F');
}

function findErrorFact({ message, facts = {} }: AnyError, name: string, translate: Translation): string | undefined {
	if (name === 'message') {
		return message.replace(/\.$/, '');
	}
	const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
	if (isText(fact)) {
		return translateText(fact, translate);
	}
	return typeof fact === 'number' && AMOUNTS.has(name)
		? groupDigits(fact)
		: typeof fact === 'string' || typeof fact === 'number'
			? String(fact)
			: undefined;
}
