/** Trying again after a failed model call. The agent loop is the only owner: nothing below it retries (C34). */
import { setTimeout as delay } from 'node:timers/promises';
import { isProviderError } from './provider-error.ts';
import { limits } from './limits.ts';

type RetryDecision =
	| { readonly retry: true; readonly waitMs: number }
	| { readonly retry: false; readonly why: 'notRetryable' | 'hasOutput' | 'exhausted' | 'waitTooLong' };

interface FailedAttempt {
	readonly error: unknown;
	/** From 1. */
	readonly attempt: number;
	/** A part of the answer has been shown or kept already; a second answer would contradict it. */
	readonly hasOutput: boolean;
}

/** Rate limit, overload, and a network that failed before anything came; 1, 2, 4 s or what the endpoint asks for. */
export function decideRetry({ error, attempt, hasOutput }: FailedAttempt): RetryDecision {
	if (!isProviderError(error) || !error.facts.retryable) {
		return { retry: false, why: 'notRetryable' };
	}
	if (hasOutput) {
		return { retry: false, why: 'hasOutput' };
	}
	if (attempt > limits.maxRetries) {
		return { retry: false, why: 'exhausted' };
	}
	const asked = error.facts.retryAfterMs ?? 0;
	if (asked > limits.maxRetryAfterMs) {
		return { retry: false, why: 'waitTooLong' };
	}
	return { retry: true, waitMs: Math.max(limits.retryBaseMs * 2 ** (attempt - 1), asked) };
}

/** Ends at once when the signal does, with its reason. */
export async function waitBeforeRetry(waitMs: number, signal: AbortSignal): Promise<void> {
	signal.throwIfAborted();
	try {
		await delay(waitMs, undefined, { signal });
	} catch (error) {
		signal.throwIfAborted();
		throw error;
	}
}

export interface RetryOptions {
	/** Before each wait, so that the user sees it. */
	readonly onWait?: (wait: { readonly error: unknown; readonly attempt: number; readonly waitMs: number }) => void;
	/** Tests pass one that does not wait. */
	readonly wait?: (waitMs: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Runs `attempt` until it succeeds or must not be tried again, then throws its last error. `attempt` calls `onOutput`
 * when it gives on the first part of an answer.
 */
export async function withRetry<T>(
	attempt: (onOutput: () => void) => Promise<T>,
	{ onWait, wait = waitBeforeRetry }: RetryOptions,
	signal: AbortSignal,
): Promise<T> {
	for (let number = 1; ; number += 1) {
		signal.throwIfAborted();
		let hasOutput = false;
		try {
			return await attempt(() => {
				hasOutput = true;
			});
		} catch (error) {
			signal.throwIfAborted();
			const decision = decideRetry({ error, attempt: number, hasOutput });
			if (!decision.retry) {
				throw error;
			}
			onWait?.({ error, attempt: number, waitMs: decision.waitMs });
			await wait(decision.waitMs, signal);
		}
	}
}
