/** How many tokens the messages of a request may take, model by model; a provider that refuses a request lowers it. */
import type { ModelPort } from '../models/model-port.ts';
import { limits } from './limits.ts';

type Model = Pick<ModelPort, 'id' | 'contextWindow'>;

export class MessageBudgets {
	/** Learned from refusals, until settings change or this process ends. */
	readonly #learned = new Map<string, number>();

	/** `fixedTokens`: what goes before the messages in each request. */
	tokensOf(model: Model, fixedTokens: number = limits.fixedTokens): number {
		const window = messageBudget(model.contextWindow, fixedTokens);
		return Math.min(window, this.#learned.get(model.id) ?? Infinity);
	}

	/** What was learned need not hold any more: settings or models have changed. */
	forget(): void {
		this.#learned.clear();
	}

	/** A request whose messages took `tokens` was too long after all. False: it cannot be lowered any further. */
	refused(model: Model, tokens: number): boolean {
		const before = this.tokensOf(model);
		const lower = Math.max(limits.leastBudgetTokens, Math.floor(Math.min(before, tokens) / 2));
		this.#learned.set(model.id, lower);
		return lower < before;
	}
}

/** What is left of a window for messages. */
export function messageBudget(contextWindow: number, fixedTokens: number = limits.fixedTokens): number {
	const reserve = Math.min(limits.answerReserveTokens, contextWindow / 4);
	return Math.floor(Math.max(contextWindow - reserve - fixedTokens, contextWindow / 4));
}
