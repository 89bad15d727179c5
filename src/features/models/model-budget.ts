/**
 * Budget of models for one execution and all that it starts: requests and tokens, each reserved before the request and
 * settled after it. Several concurrent requests cannot use more than the same requests one after the other.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';

export interface ModelSpending {
	readonly calls: number;
	/** In and out. */
	readonly tokens: number;
}

export interface Reservation extends ModelSpending {
	/** Records the real use and gives the rest back. Only the first call counts. */
	settle(used: ModelSpending): void;
}

/** Error of a budget that is used up; `what` of it. */
type CreateBudgetError = (payer: string, op: string, what: string, of: 'calls' | 'tokens') => ProwessError;

export class ModelBudgets {
	readonly #limits: (payer: string) => ModelSpending;
	readonly #exceeded: CreateBudgetError;
	readonly #used = new Map<string, { calls: number; tokens: number }>();

	/** `limits` are read at each request, so that a changed setting counts at once. */
	constructor(limits: (payer: string) => ModelSpending, exceeded: CreateBudgetError = byExecution) {
		this.#limits = limits;
		this.#exceeded = exceeded;
	}

	/**
	 * Reserves as much of `wanted` as is left. Throws, by default BUDGET_EXCEEDED, when not even one call and
	 * `leastTokens` are left.
	 */
	reserve(payer: string, op: string, wanted: ModelSpending, leastTokens: number): Reservation {
		const limits = this.#limits(payer);
		const used = this.#used.get(payer) ?? { calls: 0, tokens: 0 };
		this.#used.set(payer, used);
		const left = { calls: limits.calls - used.calls, tokens: limits.tokens - used.tokens };
		if (left.calls < 1) {
			throw this.#exceeded(payer, op, `${used.calls} of its ${limits.calls} requests to models`, 'calls');
		}
		if (left.tokens < leastTokens) {
			const what = `${used.tokens} of its ${limits.tokens} tokens, and this needs at least ${leastTokens}`;
			throw this.#exceeded(payer, op, what, 'tokens');
		}
		const calls = Math.min(wanted.calls, left.calls);
		const tokens = Math.min(wanted.tokens, left.tokens);
		used.calls += calls;
		used.tokens += tokens;
		let isSettled = false;
		return {
			calls,
			tokens,
			settle(real) {
				if (isSettled) return;
				isSettled = true;
				used.calls += real.calls - calls;
				used.tokens += real.tokens - tokens;
			},
		};
	}

	/** The execution has ended. */
	forget(executionId: string): void {
		this.#used.delete(executionId);
	}
}

function byExecution(_payer: string, op: string, what: string, of: 'calls' | 'tokens'): ProwessError {
	const setting = of === 'calls' ? 'prowess.capabilities.modelCalls' : 'prowess.capabilities.modelTokens';
	const message = `${op}: this execution has used ${what} (${setting})`;
	return new ProwessError('BUDGET_EXCEEDED', message, { setting });
}
