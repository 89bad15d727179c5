/**
 * Carries out due runs while a host is there. The runner looks at the clock often enough to notice sleep, a changed
 * clock and schedules that other windows add. The store decides which host may carry out which run.
 */
import { type Disposable, MutableDisposable, toDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { asProwessError } from '../../contract/ops/op-implementation.ts';
import type { OpError } from '../../protocol/turn/broker.ts';
import { isProwessError, type ProwessError } from '../../protocol/errors/errors.ts';
import { claimLost } from '../../contract/claim-lost.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import { scheduleLimits } from './limits.ts';
import type { ClaimedRun, DuePoll, Schedule, ScheduledRunState, SeenPoll } from './schedule.ts';
import type { ScheduleStore } from './schedule-store.ts';

/** The clock that schedules go by. */
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

interface RunnerDeps {
	/** Undefined as long as there was never a schedule in this home. */
	store(): ScheduleStore | undefined;
	readonly clock: ScheduleClock;
	readonly log: Pick<LogPort, 'error'>;
	/** Longest time between two looks at the clock; absent: that of `scheduleLimits`. */
	readonly lookMs?: number;
	/** True when this host may carry out the schedule. */
	isMine(schedule: Pick<Schedule, 'folder' | 'kind'>): boolean;
	/** Resolves with how it ended. `markBegun` once its turn has begun: what rejects before is tried again by nobody. */
	carryOut(claimed: ClaimedRun, begun: () => void, signal: AbortSignal): Promise<ScheduledRunEnd>;
	/** Looks once whether the condition of a watch holds. Rejects where that cannot be found out. */
	poll(due: DuePoll, signal: AbortSignal): Promise<SeenPoll>;
}

export interface ScheduledRunEnd {
	readonly state: ScheduledRunState;
	/** Why it did not come to a good end; absent: it did, or was stopped. */
	readonly error?: OpError | ProwessError | undefined;
}

export interface EndedRun extends ClaimedRun, ScheduledRunEnd {}

export class ScheduleRunner implements Disposable {
	readonly #deps: RunnerDeps;
	readonly #life = new AbortController();
	readonly #timer = new MutableDisposable();
	readonly #ended = new Emitter<EndedRun>();
	readonly #begun = new Emitter<ClaimedRun>();
	readonly #polled = new Emitter<DuePoll>();
	readonly #lines = new Map<string, Promise<void>>();
	readonly #polls = new Set<Promise<unknown>>();
	/** Paths of watches that changed since their last poll began. */
	readonly #touched = new Map<string, readonly string[]>();
	#lookedAt = 0;
	#isFollowing = false;
	/** A run has begun, or is claimed. */
	readonly onDidBegin = this.#begun.event;
	readonly onDidEnd = this.#ended.event;
	/** A poll of a watch was made. */
	readonly onDidPoll = this.#polled.event;

	constructor(deps: RunnerDeps) {
		this.#deps = deps;
	}

	/** A run is under way, or claimed. */
	get isRunning(): boolean {
		return this.#lines.size > 0;
	}

	/** From now on what falls due is carried out, until it is disposed. */
	follow(): void {
		this.#isFollowing = true;
		void this.look();
		this.#waitForNext();
	}

	/** Files changed, by their absolute paths: watches of them are polled as soon as their pauses allow. */
	noteChanges(paths: readonly string[]): void {
		const hurried = this.#safely(() =>
			this.#deps.store()?.hurryPolls((schedule) => this.#deps.isMine(schedule), paths),
		);
		for (const id of hurried ?? []) this.#touched.set(id, paths);
		if (hurried?.length) this.#waitForNext();
	}

	/** Does nothing where nothing is followed, or not any more. */
	#waitForNext(): void {
		if (!this.#isFollowing || this.#life.signal.aborted) return;
		const { lookMs = scheduleLimits.lookMs } = this.#deps;
		const next = this.#safely(() => this.#deps.store()?.nextDue((schedule) => this.#deps.isMine(schedule)));
		// A time in the past means that a due run waits for the schedule's last run to end, so look again after
		// `lookMs`.
		const delay = Math.max(0, (next ?? 0) - this.#deps.clock.now()) || lookMs;
		this.#timer.value = this.#deps.clock.after(Math.min(lookMs, delay), () => {
			void this.look();
			this.#waitForNext();
		});
	}

	/** Carries out all that is due now; resolves when it has ended. Never rejects for what a run does. */
	async look(): Promise<void> {
		const now = this.#deps.clock.now();
		const isBack = now < this.#lookedAt || this.#lookedAt === 0;
		this.#lookedAt = now;
		const claimed = this.#safely(() => {
			const store = this.#life.signal.aborted ? undefined : this.#deps.store();
			if (isBack) {
				store?.realign();
			}
			return store?.claim((schedule) => this.#deps.isMine(schedule));
		});
		for (const over of this.#safely(() => this.#endExpired()) ?? []) {
			this.#ended.fire({ ...over, state: 'expired' });
		}
		const polls = this.#safely(() => {
			const store = this.#life.signal.aborted ? undefined : this.#deps.store();
			return store?.claimPolls((schedule) => this.#deps.isMine(schedule));
		});
		await Promise.all([
			...(claimed ?? []).map((each) => this.runClaimed(each)),
			...(polls ?? []).map((each) => this.#pollClaimed(each)),
		]);
	}

	#endExpired(): readonly ClaimedRun[] | undefined {
		const store = this.#life.signal.aborted ? undefined : this.#deps.store();
		return store?.endExpired((schedule) => this.#deps.isMine(schedule));
	}

	/** Runs of one schedule follow each other. */
	async runClaimed(claimed: ClaimedRun): Promise<void> {
		const { id } = claimed.schedule;
		const before = this.#lines.get(id) ?? Promise.resolve();
		const line = before.then(() => this.#run(claimed));
		this.#lines.set(id, line);
		await line;
		if (this.#lines.get(id) === line) {
			this.#lines.delete(id);
		}
	}

	/** Stops what runs; what was claimed and had not begun is taken over by the next host. */
	async close(): Promise<void> {
		this.dispose();
		await Promise.all([...this.#lines.values(), ...this.#polls]);
	}

	dispose(): void {
		this.#timer.dispose();
		this.#life.abort();
	}

	async #pollClaimed(due: DuePoll): Promise<void> {
		const polling = this.#poll(due);
		this.#polls.add(polling);
		const led = await polling.finally(() => this.#polls.delete(polling));
		// The claim of the poll was the next time until now.
		this.#waitForNext();
		if (led !== undefined) {
			await led();
		}
	}

	/** Resolves with what the poll leads to; undefined: nothing. Never rejects. */
	async #poll(due: DuePoll): Promise<(() => Promise<void>) | undefined> {
		const { signal } = this.#life;
		const store = this.#deps.store();
		let found: SeenPoll | ProwessError;
		this.#touched.delete(due.schedule.id);
		try {
			found = await this.#deps.poll(due, signal);
		} catch (error) {
			found = asProwessError(error, 'schedule.poll');
		}
		// A poll that the end of this host cut off is made again by the next one.
		const led = signal.aborted
			? undefined
			: this.#safely(() => store?.settlePoll(due, isProwessError(found) ? { problem: found } : found));
		const touched = this.#touched.get(due.schedule.id);
		if (touched !== undefined && !signal.aborted) this.noteChanges(touched);
		this.#polled.fire(due);
		if (led === undefined) {
			return undefined;
		}
		if (led.run.state === 'claimed') {
			return () => this.runClaimed(led);
		}
		this.#ended.fire({ ...led, state: 'failed', error: isProwessError(found) ? found : undefined });
		return undefined;
	}

	async #run(claimed: ClaimedRun): Promise<void> {
		const { signal } = this.#life;
		const store = this.#deps.store();
		if (signal.aborted || store === undefined) {
			return;
		}
		this.#begun.fire(claimed);
		let end: ScheduledRunEnd;
		let hasBegun = false;
		const lost = new AbortController();
		const lookWhoseItIs = () => {
			if (this.#safely(() => store.hasLost(claimed.run)) === true) {
				lost.abort(claimLost(`the run of ${claimed.schedule.id}`));
			}
		};
		const markBegun = () => {
			hasBegun = true;
			this.#safely(() => store.started(claimed.run));
			lookWhoseItIs();
		};
		// A process that was suspended for long may have lost its claim; the interval notices that before the run goes
		// on for long.
		const looking = setInterval(lookWhoseItIs, scheduleLimits.checkMs).unref();
		try {
			// The claim may be lost already, because this run may have waited for the one before it.
			lookWhoseItIs();
			lost.signal.throwIfAborted();
			end = await this.#deps.carryOut(claimed, markBegun, AbortSignal.any([signal, lost.signal]));
		} catch (error) {
			if (signal.aborted && !hasBegun) {
				return;
			}
			end = { state: signal.aborted ? 'interrupted' : 'failed', error: asProwessError(error, 'schedule.run') };
		} finally {
			clearInterval(looking);
		}
		this.#safely(() => store.ended(claimed.run, end.state));
		this.#ended.fire({ ...claimed, ...end });
	}

	/** A file that cannot be read or written just now is tried again at the next look. */
	#safely<T>(work: () => T): T | undefined {
		try {
			return work();
		} catch (error) {
			this.#deps.log.error('schedules could not be read or written', { error: String(error) });
			return undefined;
		}
	}
}
