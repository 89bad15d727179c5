/**
 * Signals that end with their user. Not `AbortSignal.any` on a long-lived parent: it keeps
 * memory for each derived signal (nodejs/node #54614); derive-and-detach stays flat.
 *
 * The ambient types of this folder know neither Node nor the DOM, so the few globals it needs are named here.
 */
import { startDeadline } from './deadline.ts';
import type { Disposable } from '../disposable.ts';

/** The error with which a derived signal aborts when its own time is up. */
export class TimeoutError extends Error {
	override readonly name = 'TimeoutError';
	readonly code = 'TIMEOUT';
	readonly timeoutMs: number;

	constructor(what: string, timeoutMs: number) {
		super(`${what} took longer than ${timeoutMs} ms`);
		this.timeoutMs = timeoutMs;
	}
}

/** Longest time of a timer; a longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Timers may fire a little early. */
const TIMER_SLACK_MS = 2;

export interface DerivedSignal extends Disposable {
	readonly signal: AbortSignal;
	abort(reason: unknown): void;
	/** Stops the clock, e.g. while a person decides; `resume` gives back what was left. */
	pause(): void;
	resume(): void;
	/** Gives the whole time once more, up to the longest in all; nothing where the limit has none. */
	renew(): void;
}

/**
 * A signal that aborts with its parent, on `abort`, or after `timeoutMs` of running time (0 or undefined = no limit).
 * `what` names the wait in the error; `longestMs` bounds what `renew` gives. Dispose detaches it from the parent and stops its clock.
 */
export function deriveSignal(
	parent: AbortSignal,
	limit?: { readonly what: string; readonly timeoutMs: number; readonly longestMs?: number },
): DerivedSignal {
	const controller = new AbortController();
	let timer: Disposable | undefined;
	let leftMs = limit?.timeoutMs ?? 0;
	let startedAt = 0;
	let usedMs = 0;
	let detached = false;

	const stopClock = () => {
		if (timer !== undefined) {
			timer.dispose();
			timer = undefined;
			const ranMs = performance.now() - startedAt;
			usedMs += ranMs;
			leftMs = Math.max(1, leftMs - ranMs);
		}
	};
	const startClock = () => {
		if (limit === undefined || leftMs <= 0 || detached || timer !== undefined) {
			return;
		}
		startedAt = performance.now();
		timer = startDeadline(Math.min(leftMs, LONGEST_TIMER_MS), () => {
			if (performance.now() - startedAt < leftMs - TIMER_SLACK_MS) {
				stopClock();
				startClock();
			} else {
				const isLongest = limit.longestMs !== undefined && usedMs + leftMs >= limit.longestMs - TIMER_SLACK_MS;
				abort(new TimeoutError(limit.what, isLongest ? limit.longestMs : limit.timeoutMs));
			}
		});
	};
	const renew = () => {
		if (limit?.longestMs === undefined || limit.timeoutMs <= 0 || detached) {
			return;
		}
		const isRunning = timer !== undefined;
		stopClock();
		leftMs = Math.max(1, Math.min(limit.timeoutMs, limit.longestMs - usedMs));
		if (isRunning) startClock();
	};
	const detachFromParent = () => {
		detached = true;
		stopClock();
		parent.removeEventListener('abort', abortWithParent);
	};
	// However it ends, nothing of it stays on the parent or on the clock.
	const abort = (reason: unknown) => {
		detachFromParent();
		controller.abort(reason);
	};
	const abortWithParent = () => abort(parent.reason);

	if (parent.aborted) {
		abortWithParent();
	} else {
		parent.addEventListener('abort', abortWithParent, { once: true });
		startClock();
	}
	return { signal: controller.signal, abort, pause: stopClock, resume: startClock, renew, dispose: detachFromParent };
}
