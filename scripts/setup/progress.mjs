/**
 * Says what goes on and how long it took. A step that is done already says nothing but its name.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 */
export async function step(name, work) {
	const started = performance.now();
	const result = await work();
	const seconds = (performance.now() - started) / 1000;
	console.log(`✓ ${name}${seconds < 0.5 ? '' : ` (${seconds.toFixed(1)} s)`}`);
	return result;
}

/** Something that takes a while is about to start. @param {string} text */
export function say(text) {
	console.log(`· ${text}`);
}
