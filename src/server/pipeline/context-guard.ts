/** Stage 3: the user's message with all that belongs to it, and proof that the whole fits the model's window. */
import { ProwessError } from '../../protocol/errors.ts';
import { historyTokens, keepNewestTurns, messageBudget, messageTokens } from '../history/select.ts';
import { repairHistory } from '../history/repair.ts';
import type { ModelMessage, ModelPort } from '../models/model-port.ts';
import { readContext, readSurroundings } from '../prompt/user-message.ts';
import type { SanitizedHistory } from './history-sanitize.ts';
import type { Turn, TurnPorts } from '../turn/turn.ts';

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
