/**
 * Queue of requests to a collector, sent in their order and one at a time. A collector that is away costs nothing but room: what
 * does not fit any more is dropped, the oldest first, and counted.
 */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { startDeadline } from '../../base/time/deadline.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { telemetryLimits } from './limits.ts';

export interface Waiting {
	readonly to: 'traces' | 'metrics';
	readonly body: Buffer;
}

/** Answer of a collector; `retryAfterMs`: how long it wants to be left alone. */
export interface CollectorAnswer {
	readonly status: number;
	readonly retryAfterMs: number | undefined;
}

interface QueueDeps {
	/** Rejects when the collector cannot be reached. */
	send(waiting: Waiting, signal: AbortSignal): Promise<CollectorAnswer>;
	/** Once for each change for the worse or the better. */
	onState(problem: string | undefined): void;
	/** Tests have their own. Resolves after that time, or once the signal aborts. */
	readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Statuses after which the same request may be sent again. Source: OTLP specification, retryable responses. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export class ExportQueue {
	readonly #deps: QueueDeps;
	readonly #waiting: Waiting[] = [];
	readonly #closing = new AbortController();
	#bytes = 0;
	#dropped = 0;
	#problem: string | undefined;
	#working: Promise<void> | undefined;
	/** Aborts when the host ends: what waits is tried once more, and not again. */
	readonly #ending = new AbortController();

	constructor(deps: QueueDeps) {
		this.#deps = deps;
	}

	/** Requests that were dropped since somebody last asked. */
	takeDropped(): number {
		const dropped = this.#dropped;
		this.#dropped = 0;
		return dropped;
	}

	add(waiting: Waiting): void {
		this.#waiting.push(waiting);
		this.#bytes += waiting.body.length;
		while (
			this.#waiting.length > 1 &&
			(this.#bytes > telemetryLimits.waitingBytes || this.#waiting.length > telemetryLimits.waitingRequests)
		) {
			this.#drop();
		}
		this.#working ??= this.#work().finally(() => {
			this.#working = undefined;
		});
	}

	/** Sends what waits within a limit, and drops the rest. */
	async close(): Promise<void> {
		this.#ending.abort();
		const late = startDeadline(telemetryLimits.closingMs, () =>
			this.#closing.abort(new ProwessError('CANCELLED', 'the host is closing')),
		);
		await this.#working;
		late.dispose();
		this.#closing.abort(new ProwessError('CANCELLED', 'the host is closing'));
	}

	async #work(): Promise<void> {
		let failures = 0;
		for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
			const pauseMs = await this.#try(next, failures);
			if (pauseMs === undefined) {
				failures = 0;
				// Keeps the next one where this one was dropped meanwhile, to make room.
				if (this.#waiting[0] === next) this.#take();
				continue;
			}
			failures += 1;
			if (this.#ending.signal.aborted) {
				while (this.#waiting.length > 0) this.#drop();
				return;
			}
			await (this.#deps.pause ?? pauseFor)(pauseMs, this.#ending.signal);
		}
	}

	/** Returns undefined when it is done with, also where the collector will have none of it; else how long to wait. */
	async #try(next: Waiting, failures: number): Promise<number | undefined> {
		const { requestMs: timeoutMs, firstPauseMs, longestPauseMs } = telemetryLimits;
		const limit = deriveSignal(this.#closing.signal, { what: 'sending telemetry', timeoutMs });
		let wishedMs: number | undefined;
		try {
			const answer = await this.#deps.send(next, limit.signal);
			if (answer.status >= 200 && answer.status < 300) {
				this.#tell(undefined);
				return undefined;
			}
			this.#tell(`it answers with status ${answer.status}`);
			if (!RETRYABLE.has(answer.status)) {
				this.#dropped += 1;
				return undefined;
			}
			wishedMs = answer.retryAfterMs;
		} catch (error) {
			this.#tell(toErrorMessage(error));
		} finally {
			limit.dispose();
		}
		const grown = firstPauseMs * 2 ** Math.min(failures, 10);
		return Math.min(longestPauseMs, wishedMs !== undefined && wishedMs > 0 ? wishedMs : grown);
	}

	#take(): void {
		this.#bytes -= this.#waiting.shift()?.body.length ?? 0;
	}

	#drop(): void {
		this.#take();
		this.#dropped += 1;
	}

	#tell(problem: string | undefined): void {
		if (problem === this.#problem) return;
		this.#problem = problem;
		this.#deps.onState(problem);
	}
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		const timer = startDeadline(ms, resolve);
		const endPause = () => {
			timer.dispose();
			resolve();
		};
		if (signal.aborted) endPause();
		else signal.addEventListener('abort', endPause, { once: true });
	});
}
