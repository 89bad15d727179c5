/**
 * The strategy for a message, by heuristics alone (S0-01, S0-04): SCHEDULED_TASK > SUB_AGENT > SCRIPT > GOAL > DIRECT_RESPONSE.
 * A wrong direct answer costs a sentence, any other wrong strategy an interruption: what is not plainly one of them is answered.
 */
import type { Strategy } from '../../../protocol/thread/strategy.ts';
import { isQuestion } from '../../turn/question.ts';
import { isAboutWatching } from './watching.ts';
import { isPipeline } from './pipeline.ts';
import { isRepeated } from './repeated.ts';
import { hasSeveralSteps } from './several-steps.ts';

/** Shorter than any message with a strategy of its own. */
const LEAST_CHARS = 12;
/** Longest part of a message that is looked at: a longer message says in its beginning what it is about. */
const MOST_STRATEGY_CHARS = 2_000;

const strategiesInOrder: readonly (readonly [Strategy, (text: string) => boolean])[] = [
	['SCHEDULED_TASK', isRepeated],
	['SUB_AGENT', isAboutWatching],
	['SCRIPT', isPipeline],
	['GOAL', hasSeveralSteps],
];

/** Never throws: a heuristic that fails leaves the message to the direct answer. The text is only read. */
export function chooseStrategy(text: string, order = strategiesInOrder): Strategy {
	try {
		const plain = text
			.slice(0, MOST_STRATEGY_CHARS)
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
