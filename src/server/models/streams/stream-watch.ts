/**
 * Ends a request that keeps us waiting: no byte for `firstByteMs`, or no further part for `idleMs`. Bytes without a
 * part (keep-alives) count as life for `keepAliveMs` after the last part. A single timer is re-armed when it fires, so
 * that a part costs a clock reading only.
 */
import { startDeadline } from '../../../base/time/deadline.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { StreamLimits } from '../limits.ts';

export class StreamWatch {
	readonly #limits: StreamLimits;
	readonly #onStall: (stalled: 'first' | 'idle', afterMs: number) => void;
	readonly #startedAt = performance.now();
	#lastPartAt: number | undefined;
	#lastByteAt: number | undefined;
	#timer: Disposable | undefined;

	constructor(limits: StreamLimits, onStall: (stalled: 'first' | 'idle', afterMs: number) => void) {
		this.#limits = limits;
		this.#onStall = onStall;
		this.#arm(Math.min(limits.firstByteMs, limits.idleMs));
	}

	/** A part has come. */
	part(): void {
		this.#lastPartAt = performance.now();
	}

	/** Bytes have come, of a part or not. */
	bytes(): void {
		this.#lastByteAt = performance.now();
	}

	dispose(): void {
		this.#timer?.dispose();
	}

	#arm(ms: number): void {
		this.#timer = startDeadline(Math.max(1, Math.ceil(ms)), () => this.#check());
	}

	#check(): void {
		const now = performance.now();
		const sincePart = now - (this.#lastPartAt ?? this.#startedAt);
		const byteCounts = this.#lastByteAt !== undefined && sincePart < this.#limits.keepAliveMs;
		const since = byteCounts ? Math.min(sincePart, now - (this.#lastByteAt ?? 0)) : sincePart;
		const isFirst = this.#lastPartAt === undefined && this.#lastByteAt === undefined;
		const limit = isFirst ? this.#limits.firstByteMs : this.#limits.idleMs;
		if (since >= limit) {
			this.#onStall(isFirst ? 'first' : 'idle', limit);
		} else {
			this.#arm(limit - since);
		}
	}
}
