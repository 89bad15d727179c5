/**
 * The environment of our worker threads: nothing of the user's but the place where Node keeps what it has compiled, where
 * there is one. Without it each thread compiles its code anew, which from the sources takes four times as long.
 */
export function workerEnvironment(): NodeJS.ProcessEnv {
	const { NODE_COMPILE_CACHE: kept } = process.env;
	return kept === undefined ? {} : { NODE_COMPILE_CACHE: kept };
}
