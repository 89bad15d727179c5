/**
 * Finds out whether an answer comes from the model that was asked. Endpoints name the model in their stream. A longer
 * name with a version or a date is the same model, and so is one that the asked alias stands for by its own words.
 */
import { cutText, escapeToLine } from '../../../base/text/one-line.ts';
import { nonEmptyText } from '../../../base/text/lenient.ts';
import { SERVED_NAME_CHARS, type ServedModel } from '../../../protocol/thread/served.ts';
import { type JsonObject, objectOrEmpty } from '../providers/loose-json.ts';

/** Versions and dates that one model has behind its name: `-0613`, `-001`, `-20250514`, `-2025-08-07`, `-latest`. */
const VERSION_END = /^(?:-(?:\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{2}-\d{2}|\d{3,8}|latest))*$/;
const LATEST = '-latest';

/** Returns the name of the model in an event of any dialect; undefined: the event names none. */
export function findServedName(event: JsonObject): string | undefined {
	const holders = [event, objectOrEmpty(event['message']), objectOrEmpty(event['response'])];
	return nonEmptyText(event['modelVersion']) ?? nonEmptyText(holders.map((each) => each['model']).find(nonEmptyText));
}

/** Returns both names where `by` is not the model that was asked. */
export function findOtherModel(asked: string, by: string): ServedModel | undefined {
	return isSameModel(asked, by) ? undefined : { asked, by: cutText(escapeToLine(by), SERVED_NAME_CHARS) };
}

function isSameModel(asked: string, by: string): boolean {
	// The usual case, in which a first turn compiles no pattern.
	if (asked === by) return true;
	const [wanted, given] = [shortenName(asked, by), shortenName(by, asked)];
	const [shorter, longer] = wanted.length <= given.length ? [wanted, given] : [given, wanted];
	if (longer.startsWith(shorter) && VERSION_END.test(longer.slice(shorter.length))) {
		return true;
	}
	if (!wanted.endsWith(LATEST)) {
		return false;
	}
	// An alias for the newest of a family: the name that it stands for has all its other words, in their order.
	const words = wanted.slice(0, -LATEST.length).split('-');
	const left = given.split('-');
	return words.every((word) => {
		const at = left.indexOf(word);
		left.splice(0, at + 1);
		return at !== -1;
	});
}

/** Takes off what is no part of the name: folders and vendors before it, the ending of a file, a tag that `other` lacks. */
function shortenName(name: string, other: string): string {
	const last = name.trim().toLowerCase().split(/[/\\]/).at(-1) ?? '';
	const plain = last.replace(/\.gguf$/, '');
	const untagged = other.includes(':') ? plain : plain.replace(/:[^:]*$/, '');
	return untagged.replaceAll(/[\s._:@]+/g, '-');
}
