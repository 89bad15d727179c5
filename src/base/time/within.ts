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
