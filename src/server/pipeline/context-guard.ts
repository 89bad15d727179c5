/** Stage 3: the user's message with all that belongs to it, and proof that the whole fits the model's window. */
import { ProwessError } from '../../protocol/errors.ts';
import { historyTokens, keepNewestTurns, messageTokens } from '../history/fit.ts';
import { repairHistory } from '../history/repair.ts';
import { limits } from '../limits.ts';
import type { ModelMessage, ModelPort } from '../models/model-port.ts';
import { readContext, readSurroundings } from '../prompt/user-message.ts';
import type { SanitizedHistory } from './history-sanitize.ts';
import type { Turn, TurnPorts } from './turn.ts';

/** Tokens that system prompt and tools take; what they really take is in the first request test. */
const FIXED_TOKENS = 2_000;

export interface GuardedContext {
	readonly messages: readonly ModelMessage[];
	/** What messages may take together. */
	readonly budgetTokens: number;
	readonly tokens: number;
}

export async function contextGuard(
	turn: Turn,
	history: SanitizedHistory,
	model: ModelPort,
	ports: TurnPorts,
	signal: AbortSignal,
): Promise<GuardedContext> {
	const asker = { host: ports.host, threadId: turn.threadId, turnId: turn.turnId };
	const [context, surroundings] = await Promise.all([
		readContext(turn.context, asker, signal),
		turn.hasInstructions ? '' : readSurroundings(ports.workspace(), asker, signal),
	]);
	const text = turn.text + context + surroundings;
	const message: ModelMessage = { role: 'user', text };
	turn.journal.together('process', () => {
		if (text !== turn.text) {
			turn.journal.sayAgain(turn.messageAt, message);
		}
		if (!turn.hasInstructions) {
			turn.journal.instructionsRead();
		}
	});

	const budgetTokens = messageBudget(model.contextWindow);
	if (messageTokens(message) > budgetTokens) {
		throw new ProwessError(
			'CONTEXT_OVERFLOW',
			`the message takes about ${messageTokens(message)} tokens, ${budgetTokens} fit into ${model.id}`,
			{ tokens: messageTokens(message), limit: budgetTokens },
		);
	}
	const whole = repairHistory([...history.messages, message]);
	const messages = historyTokens(whole) > budgetTokens ? keepNewestTurns(whole, budgetTokens) : whole;
	return { messages, budgetTokens, tokens: historyTokens(messages) };
}

/** What is left of a window for messages. */
export function messageBudget(contextWindow: number): number {
	const reserve = Math.min(limits.answerReserveTokens, contextWindow / 4);
	return Math.floor(Math.max(contextWindow - reserve - FIXED_TOKENS, contextWindow / 4));
}
