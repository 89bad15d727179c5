/** Notices that this process stood still: its loop was blocked, it was stopped, or its machine slept. */
import type { Disposable } from '../disposable.ts';

const TICK_MS = 500;
/** Each tick wakes a processor: where nothing is under way, only a long standstill is of interest. */
const RESTING_TICK_MS = 10_000;
/** Less than that is a busy moment. */
const STANDSTILL_MS = 1_000;

/** Tells each time, afterwards and roughly, how long it was; a resting process misses short ones. Keeps no process alive. */
export function watchForStandstill(
	onStoodStill: (forMs: number) => void,
	{ isResting = false }: { readonly isResting?: boolean } = {},
): Disposable {
	const tickMs = isResting ? RESTING_TICK_MS : TICK_MS;
	let lastAt = performance.now();
	const timer = setInterval(() => {
		const now = performance.now();
		const stoodMs = now - lastAt - tickMs;
		lastAt = now;
		if (stoodMs >= STANDSTILL_MS) {
			onStoodStill(Math.round(stoodMs));
		}
	}, tickMs);
	// The browser's timers are numbers, and keep nothing alive.
	(timer as { unref?: () => void }).unref?.();
	return { dispose: () => clearInterval(timer) };
}
