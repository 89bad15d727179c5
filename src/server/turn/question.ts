/** Recognizes messages of the user that ask for an answer, in English and German. */

const ASKS =
	/^(?:(?:and|so|und|also),? )?(?:what|why|how|when|where|which|who|does|do (?:you|we|i|they|any)|did|is|are|was|were|should|has|have (?:the|you|we|i|they|these|those|any)|will|was|warum|wieso|weshalb|wie|wann|wo|welche[rsnm]?|wer|ist|sind|hat|haben|soll(?:en|te)?|gibt|explain|describe|tell me (?:what|why|how|when|where|which|who|about)|erkläre?|beschreibe?)\b/i;

const ASKS_AT_END =
	/[,.;:!] (?:why|how|what|where|is|are|does|warum|wieso|woran|wie|was|wo)(?!\p{L})[^.,;!?]{0,80}\?$/iu;

/** A wish in the form of a question ("can you …?") is none. */
export function isQuestion(text: string): boolean {
	return ASKS.test(text) || (text.includes('?') && ASKS_AT_END.test(text));
}

/** Returns true for a question, and for a wish in the form of a question. */
export function asksSomething(message: string): boolean {
	const text = message.trim();
	return text.endsWith('?') || isQuestion(text);
}
