/**
 * The one object that a text means, though it is no JSON as it stands. Read only where there is one reading; else the place
 * is told where it breaks.
 */
import { isPlainData, parseJsonOrUndefined } from './lenient.ts';
import { LiteralReader, NoLiteral } from './literal.ts';

export type OneObject =
	| {
			readonly kind: 'read';
			readonly value: unknown;
			/** Differences from JSON, each as a phrase; empty: it is JSON. */
			readonly notes: readonly string[];
	  }
	/** A text that may have been cut off, or is no object. */
	| { readonly kind: 'unwhole' }
	/** `at`: offset in the text. */
	| { readonly kind: 'broken'; readonly at: number; readonly problem: string };

const UNWHOLE: OneObject = { kind: 'unwhole' };
/** Objects in one text; more are not looked at. */
const MAX_SIBLINGS = 64;
const FENCE_OPENING = /^\s*(`{3,}|~{3,})[ \t]*\w*\s*/;
/** Marks that may follow the object without a meaning of their own, such as `</tool_call>`. */
const TEMPLATE_ENDS = /^(?:<[/|]?[\w|:.-]+>\s*)+$/;

/** Reads nothing, and null, as an object without members; a list in the place of the object is read in the same way. */
export function readOneObject(text: string): OneObject {
	if (['', 'null'].includes(text.trim())) {
		return { kind: 'read', value: {}, notes: [] };
	}
	const json = parseJsonOrUndefined(text);
	if (json !== undefined) {
		return { kind: 'read', value: json, notes: [] };
	}
	const fenced = findFenced(text);
	if (fenced === undefined) {
		const read = readWritten(text, 0);
		const inner = read.kind === 'broken' ? findDoubled(text) : undefined;
		const within = inner === undefined ? read : readWritten(inner.body, inner.at);
		return within.kind === 'read' && inner !== undefined
			? { ...within, notes: ['doubled brackets as single ones', ...within.notes] }
			: read;
	}
	const inFence = parseJsonOrUndefined(fenced.body);
	const read: OneObject =
		inFence === undefined ? readWritten(fenced.body, fenced.at) : { kind: 'read', value: inFence, notes: [] };
	return read.kind === 'read' ? { ...read, notes: ['the input without its fence', ...read.notes] } : read;
}

/** Finds the object in brackets that a template has doubled. */
function findDoubled(text: string): { readonly body: string; readonly at: number } | undefined {
	const [opening = ''] = /^\s*\{\s*(?=\{)/.exec(text) ?? [];
	const closed = text.trimEnd();
	const isWhole = opening !== '' && /\}\s*\}$/.test(closed.slice(-100));
	return isWhole ? { body: closed.slice(opening.length, -1), at: opening.length } : undefined;
}

/** Finds what stands in the one fence that the text is. */
function findFenced(text: string): { readonly body: string; readonly at: number } | undefined {
	const [opening = '', mark = ''] = FENCE_OPENING.exec(text) ?? [];
	const rest = text.slice(opening.length).trimEnd();
	const isWhole = mark !== '' && rest.endsWith(mark);
	return isWhole ? { body: rest.slice(0, -mark.length), at: opening.length } : undefined;
}

function readWritten(body: string, before: number): OneObject {
	if (!/^[\s\uFEFF]*[{[]/.test(body)) {
		return UNWHOLE;
	}
	const reader = new LiteralReader(body, 'json');
	const objects: { readonly value: unknown; readonly at: number }[] = [];
	try {
		while (reader.hasNext() && objects.length < MAX_SIBLINGS) {
			objects.push({ at: reader.at, value: reader.value() });
		}
	} catch (error) {
		if (!(error instanceof NoLiteral)) {
			throw error;
		}
		return error.at >= body.length ? UNWHOLE : { kind: 'broken', at: before + error.at, problem: error.message };
	}
	const rest = reader.rest();
	const notes = [...reader.notes];
	if (/^[\]})][\s\]})]*$/.test(rest)) {
		notes.push('the input without a bracket too many');
	} else if (/^[,;]\s*$/.test(rest)) {
		notes.push('the input without what follows it');
	} else if (TEMPLATE_ENDS.test(rest)) {
		notes.push('the input without the marks after it');
	} else if (rest !== '') {
		return { kind: 'broken', at: before + reader.at, problem: 'the object has ended' };
	}
	const filled = objects.filter(({ value }) => !isPlainData(value) || Object.keys(value).length > 0);
	const [meant = objects[0], other] = filled.filter(
		({ value }, index) => filled.findIndex((each) => JSON.stringify(each.value) === JSON.stringify(value)) === index,
	);
	if (other !== undefined) {
		return { kind: 'broken', at: before + other.at, problem: 'a second object begins; a call has one' };
	}
	if (objects.length > 1) {
		notes.push('the only object with members, once');
	}
	return { kind: 'read', value: meant?.value, notes };
}
