/** Notices that this process stood still: its loop was blocked, it was stopped, or its machine slept. */
import type { Disposable } from '../disposable.ts';

const TICK_MS = 500;
/** Less than that is a busy moment. */
const STANDSTILL_MS = 1_000;

/** Tells each time, afterwards and roughly, how long it was. Keeps no process alive. */
export function watchForStandstill(onStoodStill: (forMs: number) => void): Disposable {
	let lastAt = performance.now();
	const timer = setInterval(() => {
		const now = performance.now();
		const stoodMs = now - lastAt - TICK_MS;
		lastAt = now;
		if (stoodMs >= STANDSTILL_MS) {
			onStoodStill(Math.round(stoodMs));
		}
	}, TICK_MS);
	// The browser's timers are numbers, and keep nothing alive.
	(timer as { unref?: () => void }).unref?.();
	return { dispose: () => clearInterval(timer) };
}
