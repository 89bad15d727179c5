/**
 * What the work comes to, or undefined when it takes longer: then whoever waits goes on, and so does the work, unheard. The
 * time has a name in the `limits.ts` of who waits.
 */
export async function within<T>(work: PromiseLike<T>, ms: number): Promise<T | undefined> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<undefined>((resolve) => {
		timer = setTimeout(() => resolve(undefined), ms);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
