/**
 * The sentence in which an endpoint says no, from a body of any shape: `{error: {message}}`, `{error: "…"}`, `{message}`,
 * `{detail}`, `{errors: […]}`, a list of those, plain text, a page.
 */
import { nonEmptyText } from '../../../base/text/lenient.ts';
import { isProviderError } from '../streams/provider-error.ts';
import { type JsonObject, objectOrEmpty, listOrEmpty } from './loose-json.ts';

/** Undefined: the body says nothing. */
export function refusalWords(body: string): string | undefined {
	const text = body.trim();
	if (text.startsWith('{') || text.startsWith('[')) {
		try {
			return findRefusalWords(JSON.parse(text), 0) ?? text;
		} catch {
			return text;
		}
	}
	if (isPage(text)) {
		const title = /<(?:title|h1)[^>]*>([^<]*)</i.exec(text)?.[1]?.trim();
		return title === undefined || title === '' ? 'a web page' : `a web page ("${title}")`;
	}
	return nonEmptyText(text);
}

export function hasRefusalWords(body: JsonObject): boolean {
	return findRefusalWords(body, 0) !== undefined;
}

export function isPage(body: string): boolean {
	return /^\s*<(?:!doctype|html|\?xml)/i.test(body);
}

const DEEPEST = 5;
/** Where the words are, best first. */
const REFUSAL_MEMBERS = [
	'error',
	'message',
	'detail',
	'errors',
	'error_description',
	'msg',
	'reason',
	'title',
	'response',
];

function findRefusalWords(value: unknown, depth: number): string | undefined {
	if (typeof value === 'string') {
		return nonEmptyText(value.trim());
	}
	if (depth > DEEPEST) {
		return undefined;
	}
	if (Array.isArray(value)) {
		const [first] = listOrEmpty(value).map((each) => findRefusalWords(each, depth + 1));
		return first;
	}
	const said = objectOrEmpty(value);
	const place = listOrEmpty(said['loc']).map(String).join('.');
	for (const name of REFUSAL_MEMBERS) {
		const words = findRefusalWords(said[name], depth + 1);
		if (words !== undefined) {
			return name === 'msg' && place !== '' ? `${place}: ${words}` : withUpstream(words, said);
		}
	}
	return undefined;
}

/** A service that passes requests on says in `metadata.raw` what the one behind it has said. */
function withUpstream(words: string, said: ReturnType<typeof objectOrEmpty>): string {
	const raw = objectOrEmpty(said['metadata'])['raw'];
	const inner = typeof raw === 'string' ? refusalWords(raw) : undefined;
	return inner === undefined || words.includes(inner) ? words : `${words}: ${inner}`;
}

/**
 * Statuses with their words, in order of precedence: a key that is "invalid" means a refused key before it means a bad
 * request.
 */
const STATUS_WORDS: readonly (readonly [status: number, words: RegExp])[] = [
	[402, /insufficient[ _](?:quota|balance|credits?|funds)|credit balance|payment[ _]required/i],
	[
		404,
		/model_not_found|\bmodel\b.{0,80}(?:not found|(?:does not|doesn['’]t|not) exist)|(?:unknown|no such|not a valid) model/i,
	],
	[529, /overloaded|unavailable|server_is_busy|(?:at|over) capacity|(?:server|system) is (?:too )?busy/i],
	[429, /rate[ _-]?limit|too[ _]many[ _]requests|too_many|resource[ _]exhausted|throttl|slow down|quota exceeded/i],
	[401, /auth(?!ors?\b)|permission|forbidden|access denied|api[ _-]?key/i],
	[504, /timed?[ _-]?out/i],
	[
		400,
		/invalid|bad[ _]request|context|not_found|unsupported|not supported|(?:does not|doesn['’]t) support|is required|must be|unrecognized|malformed|(?:unknown|unexpected) (?:parameter|field|argument)|too (?:long|large)/i,
	],
];

/**
 * The status that an endpoint would have answered with, from the words of a refusal that comes without one: inside of a
 * stream, or as the body of a 200.
 */
export function statusInWords(words: string): number {
	return STATUS_WORDS.find(([, meant]) => meant.test(words))?.[0] ?? 500;
}

/**
 * Words with which Ollama, vLLM, llama.cpp, OpenRouter and others refuse tools, for a model or for the way the server
 * runs.
 */
const NO_TOOLS_WORDS =
	/(?:does|do)(?: not|n['’]t) support (?:the )?(?:tools?\b|function[ _-]?call|tool[ _-]?(?:use|call))|tool choice requires|tools param requires|support tool use|(?:tools?|function[ _-]?calling|tool[ _-]?calling) (?:is|are) not (?:supported|enabled|available)/i;

/** True when the endpoint answered that it takes no tools. */
export function refusesTools(error: unknown): boolean {
	return isProviderError(error) && error.facts.status !== undefined && NO_TOOLS_WORDS.test(error.message);
}

/** Words with which vendors and model servers say that a limit of output is too high. */
const TOO_MUCH_OUTPUT =
	/max_?(?:(?:completion|output|new)_?)?tokens|num_predict|(?:completion|output) (?:tokens|limit)/i;

/**
 * True when the endpoint answered that it gives less output. A window that is too small for prompt and output together
 * would do for less output.
 */
export function refusesOutput(error: unknown): boolean {
	return (
		isProviderError(error) &&
		(error.code === 'CONTEXT_OVERFLOW' ||
			(error.code === 'PROVIDER_ERROR' &&
				(error.facts.status === 400 || error.facts.status === 422) &&
				TOO_MUCH_OUTPUT.test(error.message)))
	);
}
