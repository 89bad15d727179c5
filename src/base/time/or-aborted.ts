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
