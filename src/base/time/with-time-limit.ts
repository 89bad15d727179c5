import { deriveSignal } from './derived-signal.ts';

/**
 * Runs work that nobody is there to cancel, with a signal that aborts with a TimeoutError after `timeoutMs`. Settles as the
 * work does. `what` names the wait in the error; the time has a name in the `limits.ts` of the caller.
 */
export async function withTimeLimit<T>(
	limit: { readonly what: string; readonly timeoutMs: number },
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const derived = deriveSignal(new AbortController().signal, limit);
	try {
		return await work(derived.signal);
	} finally {
		derived.dispose();
	}
}
