/** The clock that schedules go by. */
import { type Disposable, toDisposable } from '../../base/disposable.ts';

export interface ScheduleClock {
	/** Milliseconds since 1970, by the clock on the wall. */
	now(): number;
	/** Calls once after that time; a machine that slept meanwhile calls late. Keeps no process alive. */
	after(delayMs: number, call: () => void): Disposable;
}

export const systemClock: ScheduleClock = {
	now: () => Date.now(),
	after(delayMs, call) {
		const timer = setTimeout(call, delayMs);
		timer.unref();
		return toDisposable(() => clearTimeout(timer));
	},
};
