/** Token budget for the messages of a request, per model; a provider that refuses a request lowers it. */
import type { Calibrations } from '../models/windows/calibrations.ts';
import type { LearnedLimits, LimitedModel } from './learned-limits.ts';
import { historyLimits } from './limits.ts';

export class MessageBudgets {
	readonly #learned: LearnedLimits;
	readonly #calibrations: Calibrations;

	constructor(learned: LearnedLimits, calibrations: Calibrations) {
		this.#learned = learned;
		this.#calibrations = calibrations;
	}

	/** `fixedTokens`: what goes before the messages in each request. */
	tokensOf(model: LimitedModel, fixedTokens: number = historyLimits.fixedTokens): number {
		const window = messageBudget(model.contextWindow, fixedTokens, model.tokenFactor);
		return Math.min(window, this.#learned.of(model) ?? Infinity);
	}

	/**
	 * Records the provider's count for a request that we had estimated at `tokens`; the turns that begin afterwards use
	 * it. Ignores a model without an endpoint.
	 */
	measured({ endpoint }: LimitedModel, tokens: number, answer: Parameters<Calibrations['measured']>[2]): void {
		if (endpoint !== undefined) {
			this.#calibrations.measured(endpoint, tokens, answer);
		}
	}

	/** A request whose messages took `tokens` was too long after all. False: it cannot be lowered any further. */
	refused(model: LimitedModel, tokens: number): boolean {
		const before = this.tokensOf(model);
		const lower = Math.max(historyLimits.leastBudgetTokens, Math.floor(Math.min(before, tokens) / 2));
		this.#learned.learn(model, lower);
		return lower < before;
	}
}

/**
 * Returns the part of a context window that is free for messages, in tokens of our estimate. `tokenFactor`: tokens that
 * the model counts where we estimate one.
 */
export function messageBudget(
	contextWindow: number,
	fixedTokens: number = historyLimits.fixedTokens,
	tokenFactor: number = 1,
): number {
	const free = contextWindow - answerReserve(contextWindow) - fixedTokens * tokenFactor;
	return Math.floor(Math.max(free, contextWindow / 4) / tokenFactor);
}

/** Tokens of a window that are left free for the answer. */
export function answerReserve(contextWindow: number): number {
	return Math.floor(Math.min(historyLimits.answerReserveTokens, contextWindow / 4));
}
