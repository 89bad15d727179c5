/**
 * The status that an endpoint would have answered with, from the words of a refusal that comes without one: inside of a
 * stream, or as the body of a 200.
 */

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

export function statusInWords(words: string): number {
	return STATUS_WORDS.find(([, meant]) => meant.test(words))?.[0] ?? 500;
}
