/** Waits that end although the work does not: at a time limit, or with a signal. */
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

/**
 * Resolves with the result of the work, or with undefined when it takes longer. The work then goes on unheard. The time has
 * a name in the `limits.ts` of the caller.
 */
export async function raceTimeout<T>(work: PromiseLike<T>, ms: number): Promise<T | undefined> {
	const late = Promise.withResolvers<undefined>();
	const timer = setTimeout(() => late.resolve(undefined), ms);
	try {
		return await Promise.race([work, late.promise]);
	} finally {
		clearTimeout(timer);
	}
}

/** Resolves with the work, or so long after the signal has aborted. The work then goes on unheard. */
export async function waitUntilAfterAbort(work: PromiseLike<unknown>, ms: number, signal: AbortSignal): Promise<void> {
	try {
		await orAborted(work, signal);
	} catch (error) {
		if (!signal.aborted) {
			throw error;
		}
		await raceTimeout(work, ms);
	}
}

/** Resolves after that time. Rejects with the signal's reason. */
export async function waitOrAborted(ms: number, signal: AbortSignal): Promise<void> {
	const over = Promise.withResolvers<void>();
	const timer = setTimeout(() => over.resolve(), ms);
	try {
		await orAborted(over.promise, signal);
	} finally {
		clearTimeout(timer);
	}
}

/**
 * A wait that its signal ends, for work that takes no signal: whoever waits is free, the work goes on unheard. Rejects with
 * the signal's reason, also when that came first.
 */
export async function orAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
	let abort = () => {};
	const aborted = new Promise<never>((_resolve, reject) => {
		abort = () => reject(signal.reason as Error);
	});
	if (signal.aborted) abort();
	signal.addEventListener('abort', abort, { once: true });
	try {
		// The abort goes first where both are there already.
		return await Promise.race([aborted, work]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
}
