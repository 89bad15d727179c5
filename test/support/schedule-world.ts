/** A home in simulated time, on a real file: hosts that sleep, die at every step of a run and find the clock changed. */
import { join } from 'node:path';
import { type Disposable, toDisposable } from '../../src/base/disposable.ts';
import { scheduleLimits } from '../../src/features/schedule/limits.ts';
import type { DuePoll, MissedPolicy, NewWatch, Schedule, SeenPoll } from '../../src/features/schedule/schedule.ts';
import { scheduleMigrations } from '../../src/features/schedule/schedule-migrations.ts';
import { type ScheduleClock, ScheduleRunner } from '../../src/features/schedule/schedule-runner.ts';
import { ScheduleStore } from '../../src/features/schedule/schedule-store.ts';
import { nextDue } from '../../src/features/schedule/timing.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { openMigratedDatabase } from '../../src/store/open-database.ts';
import { memoryDir } from './temp-dir.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const zone = 'Europe/Berlin';
/** On the 25th the clocks of Berlin are put back. */
export const begin = Date.parse('2026-10-10T00:00:30+02:00');
const wanted = {
	kind: 'prompt',
	text: 'list open issues',
	zone,
	words: '',
	folder: '',
	mode: 'ask',
	asks: 'refuse',
} as const;

/** Time that only moves when it is told to. The wall may show another time than has passed. */
class FakeTime {
	passed = 0;
	shift = 0;
	#timers: { at: number; call: () => void }[] = [];

	clock(): ScheduleClock {
		return {
			now: () => begin + this.passed + this.shift,
			after: (delayMs, call): Disposable => {
				const timer = { at: this.passed + delayMs, call };
				this.#timers.push(timer);
				return toDisposable(() => {
					this.#timers = this.#timers.filter((each) => each !== timer);
				});
			},
		};
	}

	/** Whatever is due in that time is called at its time, or after a sleep at the end of it. */
	async pass(ms: number, { asleep = false } = {}): Promise<void> {
		const end = this.passed + ms;
		if (asleep) {
			this.passed = end;
		}
		for (;;) {
			const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
			if (next === undefined || next.at > end) {
				break;
			}
			this.#timers = this.#timers.filter((each) => each !== next);
			this.passed = Math.max(this.passed, next.at);
			next.call();
			await new Promise(setImmediate);
		}
		this.passed = end;
	}
}

type Step = 'claimed' | 'asked' | 'begun' | 'ended';
export const STEPS: readonly Step[] = ['claimed', 'asked', 'begun', 'ended'];

/** A home with hosts that may die at every step of a run. */
export class World {
	readonly time = new FakeTime();
	readonly path = join(memoryDir('home'), 'schedules.db');
	readonly alive = new Set<string>();
	/** Turns by the message that began them: the server takes no message twice. */
	readonly turns = new Map<string, { readonly schedule: string; readonly due: number }>();
	readonly asked = new Map<string, number>();
	/** Step at which the next process to reach it dies. */
	fatal: Step | undefined;
	/** Runs end when this does. */
	until: Promise<void> = Promise.resolve();
	looks = 0;
	readonly #lookMs: number;
	deaths = 0;
	/** Ends that hosts have told of. */
	readonly ends: string[] = [];
	/** Answers each poll. */
	poll: (due: DuePoll) => Promise<SeenPoll> = () => Promise.reject(new Error('nothing is watched'));
	#hosts = 0;
	readonly #stores: ScheduleStore[] = [];

	constructor(lookMs: number = scheduleLimits.lookMs) {
		this.#lookMs = lookMs;
	}

	store(owner: string): ScheduleStore {
		const store = new ScheduleStore(openMigratedDatabase(this.path, scheduleMigrations).db, {
			owner,
			isAlive: (other) => this.alive.has(other),
			now: () => this.time.clock().now(),
			beat() {},
		});
		this.#stores.push(store);
		return store;
	}

	start(): ScheduleRunner {
		this.#hosts += 1;
		const owner = `host ${this.#hosts}`;
		this.alive.add(owner);
		const store = this.store(owner);
		const passes = (step: Step) => {
			if (this.fatal !== step) {
				return;
			}
			this.fatal = undefined;
			this.deaths += 1;
			this.alive.delete(owner);
			runner.dispose();
			store.dispose();
			throw new Error('killed');
		};
		const runner = new ScheduleRunner({
			store: () => {
				this.looks += 1;
				return store;
			},
			clock: this.time.clock(),
			log: { error: () => {} },
			lookMs: this.#lookMs,
			isMine: () => true,
			poll: (due) => this.poll(due),
			carryOut: async ({ run }, begun) => {
				passes('claimed');
				this.asked.set(run.messageId, (this.asked.get(run.messageId) ?? 0) + 1);
				this.turns.set(run.messageId, { schedule: run.scheduleId, due: run.due });
				passes('asked');
				begun();
				passes('begun');
				await this.until;
				passes('ended');
				return { state: 'done' };
			},
		});
		runner.onDidEnd(({ schedule, state }) => this.ends.push(`${schedule.id} ${state}`));
		runner.follow();
		return runner;
	}

	add(id: string, pattern: string, missed: MissedPolicy, mostMissed = 1): Schedule {
		const next = nextDue(pattern, zone, this.time.clock().now()) as number;
		return this.store('user').add(id, { ...wanted, pattern, missed, mostMissed }, next);
	}

	/** A watch whose first poll found `mark`. */
	addWatch(
		id: string,
		watch: NewWatch,
		mark: string,
		{ kind = 'prompt', folder = '' }: Partial<Pick<Schedule, 'kind' | 'folder'>> = {},
	): Schedule {
		const first = { threadId: newId('thr'), seen: { mark, result: mark } };
		const next = this.time.clock().now() + 1_000;
		return this.store('user').add(
			id,
			{ ...wanted, kind, folder, pattern: '', missed: 'once', mostMissed: 1, watch },
			next,
			first,
		);
	}

	close(): void {
		this.#stores.forEach((store) => store.dispose());
	}

	/** Times for which a schedule began a turn, in order. */
	times(id: string): number[] {
		const all = [...this.turns.values()].filter(({ schedule }) => schedule === id).map(({ due }) => due);
		return all.toSorted((a, b) => a - b);
	}
}
