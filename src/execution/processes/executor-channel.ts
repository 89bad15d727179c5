/**
 * The host's end of a channel, over whichever wire. Frames are checked here; the first that breaks a rule closes the
 * channel, and no later one is read.
 */
import { type ExecutorFrame, frameLimits, type HostFrame } from '../../protocol/execution/execution.ts';
import { readExecutorFrame } from '../../protocol/execution/executor-frame.ts';
import type { ExecutorWire, Received } from './wires/executor-wire.ts';
import {
	FLOOD_FACTOR,
	FLOOD_SECONDS,
	HEARTBEAT_MS,
	MAX_EXECUTION_SENT_BYTES,
	MAX_RESULT_CHARS,
	MAX_UNREAD_BYTES,
	MAX_WAITING_FRAMES,
	PAUSE_MS,
} from './limits.ts';

export interface ChannelEvents {
	onFrame(frame: ExecutorFrame): void;
	/** Fields by which a frame claimed an identity or rights; they were dropped. */
	onForged(names: readonly string[]): void;
	/** At most once; the channel is closed. */
	onViolation(problem: string): void;
	/** Somebody without the token was sent away; only a channel that listens is tried by others. */
	onRefused?(problem: string): void;
	/** Pings in a row that were not answered; called at each further one. */
	onUnanswered(pings: number): void;
	/** The far end is gone. At most once, and not after a violation. */
	onClosed(): void;
}

export class ExecutorChannel {
	readonly #heartbeatMs: number;
	#events: ChannelEvents;
	readonly #wire: ExecutorWire;
	#isOpen = false;
	#isOver = false;
	/** Read, but not taken yet. */
	readonly #queue: Received[] = [];
	/** The process is gone: there is no more than what is here. */
	#isLast = false;
	#received = 0;
	#credit: number = frameLimits.burst;
	#creditAt = performance.now();
	#resume: ReturnType<typeof setTimeout> | undefined;
	#beat: ReturnType<typeof setInterval> | undefined;
	#unanswered = 0;
	/** Since when frames are counted, how many came since, and for how many seconds in a row there were far too many. */
	#second = { from: performance.now(), frames: 0, floods: 0 };

	constructor(wire: ExecutorWire, events: ChannelEvents, heartbeatMs: number = HEARTBEAT_MS) {
		this.#events = events;
		this.#heartbeatMs = heartbeatMs;
		this.#wire = wire;
		wire.follow({
			onOpen: () => this.#open(),
			onReceived: (received) => this.#receive(received),
			onFault: (problem) => this.#violation(problem),
			onRefused: (problem) => this.#events.onRefused?.(problem),
			onClosed: () => this.#closed(),
		});
	}

	/** Everything from now on is for another. */
	handTo(events: ChannelEvents): void {
		this.#events = events;
	}

	/** False when the executor is gone, or does not read. */
	send(frame: HostFrame): boolean {
		if (this.#isOver || !this.#isOpen) {
			return false;
		}
		const { unreadBytes } = this.#wire;
		if (unreadBytes > MAX_UNREAD_BYTES) {
			this.#violation(`it does not read: ${unreadBytes} bytes wait for it`);
			return false;
		}
		const text = JSON.stringify(frame);
		// Only the result of an op can be so large.
		const isTooLarge = frame.type === 'dispatch_result' && text.length > MAX_RESULT_CHARS;
		this.#wire.send(isTooLarge ? JSON.stringify(createTooLargeResult(frame.dispatchId, text.length)) : text);
		return true;
	}

	/** The process is gone: what it sent before is read at once, however much it is. */
	drain(): void {
		this.#isLast = true;
		this.#goOn();
	}

	close(): void {
		this.#end();
		this.#wire.close('done');
	}

	#open(): void {
		if (this.#isOver) {
			return;
		}
		this.#isOpen = true;
		this.#beat = setInterval(() => this.#ping(), this.#heartbeatMs);
	}

	/** Pings an executor, unless its frames wait here, because its answer may be among them. */
	#ping(): void {
		if (this.#resume !== undefined) {
			return;
		}
		if (this.#unanswered > 0) {
			this.#events.onUnanswered(this.#unanswered);
		}
		this.#unanswered += 1;
		if (!this.#isOver) this.#wire.ping();
	}

	#receive(received: Received): void {
		if (this.#isOver) {
			return;
		}
		this.#received += received.data.length;
		if (this.#received > MAX_EXECUTION_SENT_BYTES) {
			this.#violation(`more than ${MAX_EXECUTION_SENT_BYTES} bytes in one execution`);
			return;
		}
		this.#queue.push(received);
		this.#second.frames += 1;
		if (this.#queue.length > MAX_WAITING_FRAMES) {
			this.#wire.pause();
		}
		if (this.#resume === undefined) {
			this.#goOn();
		}
	}

	/**
	 * Ends an executor that keeps sending more than it may. Frames that wait already show how much was kept from being
	 * sent.
	 */
	#watchForFlood(now: number): void {
		const { from, frames, floods } = this.#second;
		if (now - from < 1_000) {
			return;
		}
		const isFlood =
			frames > (FLOOD_FACTOR * frameLimits.framesPerSecond * (now - from)) / 1_000 ||
			this.#queue.length > MAX_WAITING_FRAMES / 2;
		this.#second = { from: now, frames: 0, floods: isFlood ? floods + 1 : 0 };
		if (this.#second.floods >= FLOOD_SECONDS) {
			const most = FLOOD_FACTOR * frameLimits.framesPerSecond;
			this.#violation(`more than ${most} frames a second for ${FLOOD_SECONDS} seconds`);
		}
	}

	/** Takes what the budget allows. The rest waits, and with very much of it nothing more is read. */
	#goOn(): void {
		clearTimeout(this.#resume);
		this.#resume = undefined;
		const now = performance.now();
		this.#watchForFlood(now);
		const earned = ((now - this.#creditAt) / 1000) * frameLimits.framesPerSecond;
		this.#creditAt = now;
		this.#credit = Math.min(frameLimits.burst, this.#credit + earned);
		let taken = 0;
		while (taken < this.#queue.length && !this.#isOver && (this.#isLast || this.#credit >= 1)) {
			this.#credit -= 1;
			this.#take(this.#queue[taken] as Received);
			taken += 1;
		}
		this.#queue.splice(0, taken);
		if (this.#isOver) {
			this.#queue.length = 0;
		} else if (this.#queue.length > 0) {
			if (this.#queue.length <= MAX_WAITING_FRAMES / 2) {
				this.#wire.resume();
			}
			this.#resume = setTimeout(() => this.#goOn(), PAUSE_MS);
		} else {
			this.#wire.resume();
		}
	}

	#take(received: Received): void {
		if ('ping' in received) {
			if (received.ping) this.#wire.pong(received.data);
			else this.#unanswered = 0;
			return;
		}
		if (received.isBinary) {
			this.#violation('a binary frame');
			return;
		}
		const checked = readExecutorFrame(received.data.toString('utf8'));
		if (!checked.ok) {
			this.#violation(`a frame that is ${checked.problem}`);
			return;
		}
		if (checked.forged.length > 0) {
			this.#events.onForged(checked.forged);
		}
		this.#events.onFrame(checked.frame);
	}

	#violation(problem: string): void {
		if (this.#isOver) {
			return;
		}
		this.#end();
		this.#wire.close('violation');
		this.#events.onViolation(problem);
	}

	#closed(): void {
		if (!this.#isOver) {
			this.drain();
		}
		if (!this.#isOver) {
			this.#end();
			this.#events.onClosed();
		}
	}

	#end(): void {
		this.#isOver = true;
		clearTimeout(this.#resume);
		clearInterval(this.#beat);
	}
}

function createTooLargeResult(dispatchId: string, chars: number): HostFrame {
	const message = `the op was done, but its result has ${chars} characters, the limit is ${MAX_RESULT_CHARS}. Ask for less at once`;
	return { type: 'dispatch_result', dispatchId, error: { code: 'RESPONSE_TOO_LARGE', message } };
}
