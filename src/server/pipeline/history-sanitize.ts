/** Stage 2: what was said before, as a conversation every provider accepts, trimmed by whole turns when it fills the window. */
import type { ModelMessage, ModelPort } from '../models/model-port.ts';
import { historyTokens, keepNewestTurns } from '../history/select.ts';
import { repairHistory } from '../history/repair.ts';
import { limits } from '../history/limits.ts';

export interface SanitizedHistory {
	readonly messages: readonly ModelMessage[];
	readonly tokens: number;
	readonly dropped: number;
}

export function historySanitize(stored: readonly ModelMessage[], model: ModelPort): SanitizedHistory {
	const valid = repairHistory(stored);
	const isFull = historyTokens(valid) > model.contextWindow * limits.historyTrimAt;
	const messages = isFull ? keepNewestTurns(valid, model.contextWindow * limits.historyTrimTo) : valid;
	return { messages, tokens: historyTokens(messages), dropped: valid.length - messages.length };
}
