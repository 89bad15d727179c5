/**
 * Waits until a condition holds and returns its first value that is not `undefined` or `false`. For what announces nothing
 * (a file, a process, another program); what has an event is awaited by its event.
 */
export async function waitFor<T>(
	what: string,
	condition: () => T | undefined | false | Promise<T | undefined | false>,
	limitMs = 20_000,
): Promise<T> {
	const started = performance.now();
	for (;;) {
		const value = await condition();
		if (value !== undefined && value !== false) return value;
		if (performance.now() - started > limitMs) throw new Error(`waited ${limitMs} ms in vain for ${what}`);
		await new Promise((resolve) => setTimeout(resolve, pollMs));
	}
}

const pollMs = 10;
