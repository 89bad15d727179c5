/** Data kept of a schedule and of its runs. */
import type { AnyError } from '../../protocol/errors/error-text.ts';
import type { ItemId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { WatchCondition } from '../../protocol/schedule/watch-condition.ts';
import type { Mode } from '../../protocol/thread/thread.ts';

/**
 * Policy for runs that were missed because no host was there: run none, one for all of them, or each, up to a bound.
 */
export type MissedPolicy = 'skip' | 'once' | 'each';

/** A question that a run leads to: it waits for the user, or is refused at once. Never is it answered with yes by itself. */
type AskPolicy = 'wait' | 'refuse';

export interface NewSchedule {
	/** `reminder`: the user is told the text, and no model is asked. */
	readonly kind: 'prompt' | 'reminder';
	readonly text: string;
	/** A cron expression of five fields, or a local time for one run; empty for a watch. */
	readonly pattern: string;
	/** IANA name of the time zone in which `pattern` counts. */
	readonly zone: string;
	/** Time of the runs in the user's own words. */
	readonly words: string;
	/** Real path of the project in which it runs; empty: in none. */
	readonly folder: string;
	readonly mode: Mode;
	readonly asks: AskPolicy;
	readonly missed: MissedPolicy;
	/** Runs made up for at most, with `each`. */
	readonly mostMissed: number;
	/** The condition that is its time; absent: a clock is. */
	readonly watch?: NewWatch | undefined;
}

/** A condition with what the user has agreed to: its command may do more than read, and runs with each poll. */
export interface KeptCondition extends WatchCondition {
	/** Hashes of the scripts that the command runs, as they were then. Absent: it may only read. */
	readonly agreed?: { readonly scripts: Readonly<Record<string, string>> } | undefined;
}

export interface NewWatch {
	readonly condition: KeptCondition;
	/** Milliseconds since 1970 after which it is not polled any more. */
	readonly endsAt: number;
	/** Runs at most; then it is over. */
	readonly most: number;
}

/** Result of a poll. */
export interface SeenPoll {
	/** Same marks mean the same result. For a condition that can be true, `yes` or `no`. */
	readonly mark: string;
	/** In words, short: `exit code 1`. */
	readonly result: string;
}

/** State of a watch. */
export interface Watch extends NewWatch {
	/** Thread in whose name it polls; no message is ever in it. */
	readonly threadId: ThreadId;
	/** Runs that it has begun. */
	readonly held: number;
	readonly polls: number;
	/** Null: not polled yet. */
	readonly lastPoll: number | null;
	/** Undefined: no poll has found anything yet. */
	readonly seen: SeenPoll | undefined;
	/** Why the last poll found nothing; undefined: it did. An older host kept the message alone. */
	readonly problem: AnyError | undefined;
}

/** A poll that this process is to make now. No other process makes one until `nextDue` of its schedule. */
export interface DuePoll {
	readonly schedule: Schedule;
	readonly watch: Watch;
}

/**
 * `started`: its turn has begun. `interrupted`: the host died while it ran, and it is not repeated. `skipped`: missed, and
 * not made up for. `expired`: no run, but the end of a watch whose condition did not hold in time.
 */
export type ScheduledRunState =
	| 'claimed'
	| 'started'
	| 'done'
	| 'failed'
	| 'stopped'
	| 'interrupted'
	| 'skipped'
	| 'expired';

export interface ScheduledRun {
	readonly scheduleId: string;
	/** When it was due, in milliseconds since 1970: with its schedule it names the run. */
	readonly due: number;
	readonly state: ScheduledRunState;
	/** Process that carries it out. */
	readonly owner: string;
	readonly threadId: ThreadId;
	/** Id of the message that begins its turn: however often it is sent, the turn begins once. */
	readonly messageId: ItemId;
	readonly startedAt: number;
	readonly endedAt: number | null;
}

export interface Schedule extends Omit<NewSchedule, 'watch'> {
	/** The condition that it waits for, and how far it is; undefined: a clock is its time. */
	readonly watch: Watch | undefined;
	readonly id: string;
	readonly isPaused: boolean;
	readonly createdAt: number;
	/** When it runs next, or is polled. Null: it has no run any more, or is paused. */
	readonly nextDue: number | null;
	readonly lastRun: ScheduledRun | undefined;
}

/** A run that has not ended. `isCutOff`: its process is gone, so the next one that may takes it over or marks it as interrupted. */
export interface RunUnderWay {
	readonly schedule: Schedule;
	readonly run: ScheduledRun;
	readonly isCutOff: boolean;
}

/** A run that this process is to carry out now. */
export interface ClaimedRun {
	readonly schedule: Schedule;
	readonly run: ScheduledRun;
}
