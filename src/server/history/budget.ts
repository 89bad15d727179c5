/** How many tokens the messages of a request may take, model by model; a provider that refuses a request lowers it. */
import type { LearnedLimits, LimitedModel } from './learned-limits.ts';
import { limits } from './limits.ts';

export class MessageBudgets {
	readonly #learned: LearnedLimits;

	constructor(learned: LearnedLimits) {
		this.#learned = learned;
	}

	/** `fixedTokens`: what goes before the messages in each request. */
	tokensOf(model: LimitedModel, fixedTokens: number = limits.fixedTokens): number {
		const window = messageBudget(model.contextWindow, fixedTokens);
		return Math.min(window, this.#learned.of(model) ?? Infinity);
	}

	/** A request whose messages took `tokens` was too long after all. False: it cannot be lowered any further. */
	refused(model: LimitedModel, tokens: number): boolean {
		const before = this.tokensOf(model);
		const lower = Math.max(limits.leastBudgetTokens, Math.floor(Math.min(before, tokens) / 2));
		this.#learned.learn(model, lower);
		return lower < before;
	}
}

/** What is left of a window for messages. */
export function messageBudget(contextWindow: number, fixedTokens: number = limits.fixedTokens): number {
	const reserve = Math.min(limits.answerReserveTokens, contextWindow / 4);
	return Math.floor(Math.max(contextWindow - reserve - fixedTokens, contextWindow / 4));
}
