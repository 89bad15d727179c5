/**
 * The strategy for a message, by heuristics alone (S0-01, S0-04): SCHEDULED_TASK > SUB_AGENT > SCRIPT > GOAL > DIRECT_RESPONSE.
 * A wrong direct answer costs a sentence, any other wrong strategy an interruption: what is not plainly one of them is answered.
 */
import type { Strategy } from '../../../protocol/thread/strategy.ts';
import { isAboutWatching } from './watching.ts';
import { isPipeline } from './pipeline.ts';
import { isRepeated } from './repeated.ts';
import { hasSeveralSteps } from './several-steps.ts';

/** Shorter than any message with a strategy of its own. */
const LEAST_CHARS = 12;
/** What a longer message is about stands in its beginning. */
const MOST_CHARS = 2_000;

const inOrder: readonly (readonly [Strategy, (text: string) => boolean])[] = [
	['SCHEDULED_TASK', isRepeated],
	['SUB_AGENT', isAboutWatching],
	['SCRIPT', isPipeline],
	['GOAL', hasSeveralSteps],
];

/** Never throws: a heuristic that fails leaves the message to the direct answer. The text is only read. */
export function chooseStrategy(text: string, order = inOrder): Strategy {
	try {
		const plain = text
			.slice(0, MOST_CHARS)
			.replaceAll(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, ' … ')
			.trim();
		if (plain.length < LEAST_CHARS || isQuestion(plain)) {
			return 'DIRECT_RESPONSE';
		}
		return order.find(([, fits]) => fits(plain))?.[0] ?? 'DIRECT_RESPONSE';
	} catch {
		return 'DIRECT_RESPONSE';
	}
}

const ASKS =
	/^(?:(?:and|so|und|also),? )?(?:what|why|how|when|where|which|who|does|do (?:the|you|we|i|they|these|those|any)|did|is|are|was|were|should|has|have|will|was|warum|wieso|weshalb|wie|wann|wo|welche[rsnm]?|wer|ist|sind|hat|haben|soll(?:en|te)?|gibt|explain|describe|tell me (?:what|why|how|when|where|which|who|about)|erkläre?|beschreibe?)\b/i;

const ASKS_AT_END =
	/[,.;:!] (?:why|how|what|where|is|are|does|warum|wieso|woran|wie|was|wo)(?!\p{L})[^.,;!?]{0,80}\?$/iu;

/** A wish in the form of a question ("can you …?") is none. */
function isQuestion(text: string): boolean {
	return ASKS.test(text) || ASKS_AT_END.test(text);
}
