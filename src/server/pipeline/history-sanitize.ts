/** Stage 2: what was said before, as a conversation every provider accepts, and how much of it the model could see. */
import { repairHistory } from '../history/repair.ts';
import { type HistoryCut, selectHistory, UNCUT_HISTORY } from '../history/select.ts';
import type { ModelMessage, ModelPort } from '../models/model-port.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

export interface SanitizedHistory {
	/** Whole: what of it fits is decided once the new message is known. */
	readonly messages: readonly ModelMessage[];
	/** Tokens of the part of the conversation that fits. */
	readonly tokens: number;
	readonly cut: HistoryCut;
}

export function historySanitize({ before, lastModelId }: Turn, model: ModelPort, deps: TurnDeps): SanitizedHistory {
	const messages = repairHistory(before);
	const { tokens, cut } = selectHistory(messages, deps.budgets.tokensOf(model));
	// Another model saw it with its own window; whatever this one does not see is news.
	const hasNewModel = lastModelId !== undefined && lastModelId !== model.id;
	return { messages, tokens, cut: hasNewModel ? UNCUT_HISTORY : cut };
}
