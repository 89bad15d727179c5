/**
 * Work that somebody else may carry out: another process of this machine, or another machine. Whoever keeps the jobs, on this
 * machine or for a team, keeps this contract (`test/contracts/work.test.ts`).
 */

/** Names a job to whoever keeps it; for others it has no parts. */
export type JobId = string;

export interface NewJob {
	/** What is to be done, such as `prompt`: lower-case letters and hyphens. */
	readonly kind: string;
	/** What a worker must have to take the job: lower-case letters, digits and hyphens. */
	readonly labels?: readonly string[];
	/** Names this piece of work among those of its kind and labels: none of them is there twice as long as it has not ended. */
	readonly key: string;
	/** Plain JSON. A request, not a right: the worker asks its own gate. */
	readonly payload: Readonly<Record<string, unknown>>;
	/** Jobs of one group share what a worker gives to it: that of a person, for example. */
	readonly group?: string;
	/** The highest is taken first, then the oldest. Default 0. */
	readonly priority?: number;
	/** Keys of jobs of the same call that must be done before. While one of them is not, this job waits. */
	readonly after?: readonly string[];
	/** How often it is begun before it counts as failed, when workers are lost over it or throw. Default 3. */
	readonly mostAttempts?: number;
}

/** `waiting`: for a worker, its time or other jobs. `parked`: for the answer of a person. */
export type JobState = 'waiting' | 'working' | 'parked' | 'done' | 'failed' | 'cancelled';

export interface JobQuestion {
	readonly id: string;
	/** What a person is asked, in the form that those who show it agree on. */
	readonly asks: Readonly<Record<string, unknown>>;
}

/** A job as a worker gets it. */
export interface TakenJob {
	readonly id: JobId;
	readonly kind: string;
	readonly labels: readonly string[];
	readonly key: string;
	readonly payload: Readonly<Record<string, unknown>>;
	/** From 1. Above it, an earlier worker was lost or failed: what it did is in doubt. */
	readonly attempt: number;
	/** The answer to the question over which the job was parked last. */
	readonly answer: unknown;
}

/** `parked`: nobody waits meanwhile; the answer lets any worker go on. */
export type JobOutcome =
	| { readonly state: 'done'; readonly result: unknown }
	| { readonly state: 'failed'; readonly reason: string }
	| { readonly state: 'parked'; readonly question: JobQuestion };

/**
 * Carries a job out. What it throws counts as a lost attempt. `signal` aborts when the job is another's or nobody's by now,
 * and at the end of the worker: then the job goes back, without a lost attempt, and the outcome counts for nothing.
 */
export type JobHandler = (job: TakenJob, signal: AbortSignal) => Promise<JobOutcome>;

export interface WorkerOffer {
	readonly kinds: readonly string[];
	readonly labels: readonly string[];
	/** Jobs at a time, of each kind with the same labels. */
	readonly mostAtOnce: number;
	/** Jobs of a group that all workers together carry out at a time, of each kind with the same labels. */
	readonly mostOfGroup: number;
}

export interface JobWorker {
	/** Takes no more jobs. Resolves when those under way have ended; when `signal` aborts, they are given back. */
	drain(signal: AbortSignal): Promise<void>;
}

export interface JobSchedule {
	readonly name: string;
	/** Cron expression of five fields. */
	readonly pattern: string;
	readonly zone: string;
	/** What becomes of the times for which nobody was there: nothing, or one job for all of them. */
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
	/** How often it was begun, without what was given back. */
	readonly attempts: number;
	/** Set while it is parked. */
	readonly question: JobQuestion | undefined;
	/** Of a job that is done. */
	readonly result: unknown;
	/** Of a job that failed. */
	readonly reason: string | undefined;
	/** Milliseconds since 1970, by the clock of whoever keeps the jobs. */
	readonly createdAt: number;
}

export interface WorkState {
	/** Those that have not ended, and those that ended lately; oldest first. */
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
	/** False: that question does not wait for an answer any more. Of several answers one counts. */
	answer(id: JobId, questionId: string, answer: unknown, signal: AbortSignal): Promise<boolean>;
	/** Replaces the one of that name. Its job is not added while one with its key has not ended. */
	schedule(schedule: JobSchedule, signal: AbortSignal): Promise<void>;
	/** False: there is none. */
	unschedule(name: string, signal: AbortSignal): Promise<boolean>;
	state(signal: AbortSignal): Promise<WorkState>;
	/** Ends the workers; what they have under way is given back. */
	dispose(): Promise<void>;
}
