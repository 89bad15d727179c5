/**
 * The timer of a limit. A process that stood still (stopped, its loop blocked, its machine asleep) would find the limit
 * passed before it has looked at what came meanwhile. A timer that late lets it look first.
 */
import type { Disposable } from '../disposable.ts';

/** Later than that, a timer was not merely kept waiting by other work. */
const LATE_MS = 500;
/** For what lies in sockets and channels to be read. */
const CATCH_UP_MS = 1_000;

/** Calls `onPassed` once, `ms` from now by the monotonic clock; dispose stops it. At most what a timer can count. */
export function startDeadline(ms: number, onPassed: () => void): Disposable {
	const startedAt = performance.now();
	let timer = setTimeout(() => {
		if (performance.now() - startedAt - ms > LATE_MS) {
			timer = setTimeout(onPassed, CATCH_UP_MS);
		} else {
			onPassed();
		}
	}, ms);
	return { dispose: () => clearTimeout(timer) };
}
