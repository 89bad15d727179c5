import { setTimeout as delay } from 'node:timers/promises';

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
