/**
 * What the work comes to, or undefined when it takes longer: then whoever waits goes on, and so does the work, unheard. The
 * time has a name in the `limits.ts` of who waits.
 */
export async function within<T>(work: PromiseLike<T>, ms: number): Promise<T | undefined> {
	const late = Promise.withResolvers<undefined>();
	const timer = setTimeout(() => late.resolve(undefined), ms);
	try {
		return await Promise.race([work, late.promise]);
	} finally {
		clearTimeout(timer);
	}
}
