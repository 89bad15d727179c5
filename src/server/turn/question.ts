/** Recognizes messages of the user that ask for an answer, in English and German. */
import { readFirstWord, toWordSet } from './plain-words.ts';

const ASKS =
	/^(?:(?:and|so|und|also),? )?(?:what|why|how|when|where|which|who|does|do (?:you|we|i|they|any)|did|is|are|was|were|should|has|have (?:the|you|we|i|they|these|those|any)|will|was|warum|wieso|weshalb|wie|wann|wo|welche[rsnm]?|wer|ist|sind|hat|haben|soll(?:en|te)?|gibt|explain|describe|tell me (?:what|why|how|when|where|which|who|about)|erkläre?|beschreibe?)\b/i;

const BEFORE_ASKING = toWordSet('and so und also');

/** First words of `ASKS`, which is not compiled for any other. */
const ASKING_WORDS = toWordSet(
	'what why how when where which who does do did is are was were should has have will explain describe tell',
	'warum wieso weshalb wie wann wo welche welcher welches welchen welchem wer ist sind hat haben soll sollen sollte gibt',
	'erklär erkläre beschreib beschreibe',
);

const ASKS_AT_END =
	/[,.;:!] (?:why|how|what|where|is|are|does|warum|wieso|woran|wie|was|wo)(?!\p{L})[^.,;!?]{0,80}\?$/iu;

/** Longer than the words before a question. */
const LONGEST_OPENING = 60;

/** A wish in the form of a question ("can you …?") is none. */
export function isQuestion(text: string): boolean {
	const mayAsk = ASKING_WORDS.has(readFirstWord(text.slice(0, LONGEST_OPENING), BEFORE_ASKING));
	return (mayAsk && ASKS.test(text)) || (text.includes('?') && ASKS_AT_END.test(text));
}

/** Returns true for a question, and for a wish in the form of a question. */
export function asksSomething(message: string): boolean {
	const text = message.trim();
	return text.endsWith('?') || isQuestion(text);
}
