/**
 * Jobs that another process or another machine may carry out. Two keepers of jobs meet this contract, that of this machine and
 * that of a team (`test/contracts/work-contract.ts`).
 */

/** Names a job to whoever keeps it; for others it has no parts. */
export type JobId = string;

export interface NewJob {
	/** Kind of work, such as `prompt`: lower-case letters, digits and hyphens. */
	readonly kind: string;
	/** Labels that a worker must have to take the job: lower-case letters, digits and hyphens. */
	readonly labels?: readonly string[];
	/** Name of this piece of work among those of its kind and labels; at most one job that has not ended has it. */
	readonly key: string;
	/** Plain JSON. A request, not a right: the worker asks its own gate. */
	readonly payload: Readonly<Record<string, unknown>>;
	/** Jobs of one group share what a worker gives to it: that of a person, for example. */
	readonly group?: string;
	/** The highest is taken first, then the oldest. Default 0. */
	readonly priority?: number;
	/** Keys of jobs of the same call that must be done before. While one of them is not, this job waits. */
	readonly after?: readonly string[];
	/** Number of times it is begun, while workers are lost over it or throw, before it counts as failed. Default 3. */
	readonly mostAttempts?: number;
}

/** `waiting`: for a worker, its time or other jobs. `parked`: for the answer of a person. */
export type JobState = 'waiting' | 'working' | 'parked' | 'done' | 'failed' | 'cancelled';

export interface JobQuestion {
	readonly id: string;
	/** Question to a person, in the form that those who show it agree on. */
	readonly asks: Readonly<Record<string, unknown>>;
}

/** A job as a worker gets it. */
export interface TakenJob {
	readonly id: JobId;
	readonly kind: string;
	readonly labels: readonly string[];
	readonly key: string;
	readonly payload: Readonly<Record<string, unknown>>;
	readonly group: string | undefined;
	/** From 1. Above it, an earlier worker was lost or failed: what it did is in doubt. */
	readonly attempt: number;
	/** True when a worker had it before and may have begun it: also one that gave it back, or parked it. */
	readonly isTakenBefore: boolean;
	/** The answer to the question over which the job was parked last. */
	readonly answer: unknown;
}

/** `parked`: nobody waits meanwhile; the answer lets any worker go on. */
export type JobOutcome =
	| { readonly state: 'done'; readonly result: unknown }
	| { readonly state: 'failed'; readonly reason: string }
	| { readonly state: 'parked'; readonly question: JobQuestion };

/**
 * Carries a job out. An error that it throws counts as a lost attempt. `signal` aborts when the job is another's or nobody's by
 * now, and at the end of the worker: then the job goes back without a lost attempt, and the outcome counts for nothing.
 */
export type JobHandler = (job: TakenJob, signal: AbortSignal) => Promise<JobOutcome>;

export interface WorkerOffer {
	readonly kinds: readonly string[];
	readonly labels: readonly string[];
	/** Jobs at a time, of each kind with the same labels. */
	readonly mostAtOnce: number;
	/**
	 * Share of a group: jobs of it that all workers together carry out at a time, of each kind with the same labels. Workers that
	 * look at the same moment may exceed it by one each, so it is fair and no lock.
	 */
	readonly mostOfGroup: number;
}

export interface JobWorker {
	/**
	 * Takes no more jobs. Resolves when those under way have ended. When `signal` aborts, they are told to stop and given back as
	 * they end; one that does not end within 5 s is not waited for, and is nobody else's before this process is gone.
	 */
	drain(signal: AbortSignal): Promise<void>;
}

export interface JobSchedule {
	readonly name: string;
	/** Cron expression of five fields. */
	readonly pattern: string;
	readonly zone: string;
	/** Jobs for the times at which nobody was there: none, or one for all of them. */
	readonly missed: 'skip' | 'once';
	readonly job: Omit<NewJob, 'after'>;
}

export interface JobRecord {
	readonly id: JobId;
	readonly kind: string;
	readonly labels: readonly string[];
	readonly key: string;
	readonly payload: Readonly<Record<string, unknown>>;
	readonly group: string | undefined;
	readonly priority: number;
	readonly state: JobState;
	/** Number of times it was begun, without those that were given back. */
	readonly attempts: number;
	/** Set while it is parked. */
	readonly question: JobQuestion | undefined;
	/** Set when it is done. */
	readonly result: unknown;
	/** Set when it failed. */
	readonly reason: string | undefined;
	/** Milliseconds since 1970, by the clock of whoever keeps the jobs. */
	readonly createdAt: number;
}

export interface WorkState {
	/** Jobs that have not ended, and those that ended lately; oldest first. */
	readonly jobs: readonly JobRecord[];
	readonly schedules: readonly JobSchedule[];
}

export interface WorkPort {
	/**
	 * All of them or none; durable when it resolves. A single job whose key is held already is not added again: the id is that of
	 * the one that is there. Among several, that rejects with INVALID_STATE. Bad names reject with INVALID_PARAMS.
	 */
	enqueue(jobs: readonly NewJob[], signal: AbortSignal): Promise<JobId[]>;
	/** Takes jobs and carries each out, at one place at a time, until it is drained. */
	take(offer: WorkerOffer, handle: JobHandler): JobWorker;
	/** False: it has ended already. The handler of a job under way is told within 3 s. */
	cancel(id: JobId, signal: AbortSignal): Promise<boolean>;
	/** False: that question does not wait for an answer any more. Only one of several answers counts. */
	answer(id: JobId, questionId: string, answer: unknown, signal: AbortSignal): Promise<boolean>;
	/** Replaces the schedule of that name. A time adds no job while one with its key has not ended. */
	schedule(schedule: JobSchedule, signal: AbortSignal): Promise<void>;
	/** False: there is none. */
	unschedule(name: string, signal: AbortSignal): Promise<boolean>;
	state(signal: AbortSignal): Promise<WorkState>;
	/** Ends the workers; what they have under way is given back. */
	dispose(): Promise<void>;
}
