/**
 * The sentence in which an endpoint says no, from a body of any shape: `{error: {message}}`, `{error: "…"}`, `{message}`,
 * `{detail}`, `{errors: […]}`, a list of those, plain text, a page.
 */
import { type JsonObject, objectOf, listOf, nonEmpty } from './loose-json.ts';

/** Undefined: the body says nothing. */
export function refusalWords(body: string): string | undefined {
	const text = body.trim();
	if (text.startsWith('{') || text.startsWith('[')) {
		try {
			return wordsIn(JSON.parse(text), 0) ?? text;
		} catch {
			return text;
		}
	}
	if (isPage(text)) {
		const title = /<(?:title|h1)[^>]*>([^<]*)</i.exec(text)?.[1]?.trim();
		return title === undefined || title === '' ? 'a web page' : `a web page ("${title}")`;
	}
	return nonEmpty(text);
}

export function hasRefusalWords(body: JsonObject): boolean {
	return wordsIn(body, 0) !== undefined;
}

export function isPage(body: string): boolean {
	return /^\s*<(?:!doctype|html|\?xml)/i.test(body);
}

const DEEPEST = 5;
/** Where the words are, best first. */
const NAMES = ['error', 'message', 'detail', 'errors', 'error_description', 'msg', 'reason', 'title', 'response'];

function wordsIn(value: unknown, depth: number): string | undefined {
	if (typeof value === 'string') {
		return nonEmpty(value.trim());
	}
	if (depth > DEEPEST) {
		return undefined;
	}
	if (Array.isArray(value)) {
		const [first] = listOf(value).map((each) => wordsIn(each, depth + 1));
		return first;
	}
	const said = objectOf(value);
	const place = listOf(said['loc']).map(String).join('.');
	for (const name of NAMES) {
		const words = wordsIn(said[name], depth + 1);
		if (words !== undefined) {
			return name === 'msg' && place !== '' ? `${place}: ${words}` : withUpstream(words, said);
		}
	}
	return undefined;
}

/** A service that passes requests on says in `metadata.raw` what the one behind it has said. */
function withUpstream(words: string, said: ReturnType<typeof objectOf>): string {
	const raw = objectOf(said['metadata'])['raw'];
	const inner = typeof raw === 'string' ? refusalWords(raw) : undefined;
	return inner === undefined || words.includes(inner) ? words : `${words}: ${inner}`;
}
