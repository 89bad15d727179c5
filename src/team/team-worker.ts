/** A worker of the team in this process: takes jobs from the queues that it fits, also from those that are made later. */
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss';
import { waitUntilAfterAbort } from '../base/time/bounded-wait.ts';
import { toErrorMessage } from '../base/text/message-of.ts';
import { checkJobOutcome } from '../contract/check-jobs.ts';
import type { JobHandler, JobOutcome, JobWorker, WorkerOffer } from '../contract/ports/work-port.ts';
import { runInTransaction, type JobData, readQueueName, writeJobId } from './job-data.ts';
import { teamLimits } from './limits.ts';

export interface TeamWorkerDeps {
	readonly offer: WorkerOffer;
	readonly handle: JobHandler;
	readonly onProblem: (error: unknown) => void;
	/** Time between two looks for kinds and labels that are new. */
	readonly lookMs: number;
}

/** Parked jobs wait for this time, which an answer brings forward. */
const PARKED_UNTIL = new Date('9999-01-01T00:00:00Z');

export class TeamWorker implements JobWorker {
	readonly #boss: PgBoss;
	readonly #deps: TeamWorkerDeps;
	readonly #queues = new Set<string>();
	/** Aborts when what is under way is to be given back. */
	readonly #end = new AbortController();
	#timer: NodeJS.Timeout | undefined;
	#looking = Promise.resolve();
	#isDraining = false;

	constructor(boss: PgBoss, deps: TeamWorkerDeps) {
		this.#boss = boss;
		this.#deps = deps;
		const look = () => {
			this.#looking = this.#look().catch(deps.onProblem);
			void this.#looking.then(() => {
				if (!this.#isDraining) {
					this.#timer = setTimeout(look, deps.lookMs).unref();
				}
			});
		};
		look();
	}

	async drain(signal: AbortSignal): Promise<void> {
		this.#isDraining = true;
		clearTimeout(this.#timer);
		const giveBack = () => this.#end.abort(new Error('the worker ends'));
		signal.addEventListener('abort', giveBack, { once: true });
		if (signal.aborted) {
			giveBack();
		}
		try {
			// The look under way, too: a database that is away may keep it waiting for long.
			const stopped = this.#looking.then(() => Promise.all([...this.#queues].map((name) => this.#boss.offWork(name))));
			await waitUntilAfterAbort(stopped, teamLimits.stopMs, signal);
		} finally {
			signal.removeEventListener('abort', giveBack);
		}
	}

	async #look(): Promise<void> {
		const { kinds, labels, mostAtOnce, mostOfGroup } = this.#deps.offer;
		for (const { name } of await this.#boss.getQueues()) {
			const queue = readQueueName(name);
			const fits =
				queue !== undefined && kinds.includes(queue.kind) && queue.labels.every((each) => labels.includes(each));
			if (!fits || this.#queues.has(name) || this.#isDraining) {
				continue;
			}
			this.#queues.add(name);
			// Each by itself, because only its id can tell it to look again at once.
			for (let count = 0; count < mostAtOnce; count++) {
				const options = {
					pollingIntervalSeconds: teamLimits.pollS,
					notifyPollingIntervalSeconds: teamLimits.pollS,
					heartbeatRefreshSeconds: teamLimits.beatS,
					groupConcurrency: mostOfGroup,
					perJobResults: true,
					includeMetadata: true,
				} as const;
				const id: string = await this.#boss.work<JobData, unknown, typeof options>(name, options, async (jobs) => {
					const results = await Promise.all(jobs.map((job) => this.#carryOut(name, job)));
					this.#boss.notifyWorker(id);
					return results;
				});
			}
		}
	}

	/** Returns what pg-boss is told. An error that the handler throws is the outcome of its attempt. */
	async #carryOut(queue: string, job: JobWithMetadata<JobData>): Promise<JobResult> {
		const { payload, mostAttempts, givenBack, answer } = job.data;
		if (this.#isDraining) {
			// Taken by a look that was under way: perhaps the very job that this worker has just given back.
			return await this.#giveBack(queue, job);
		}
		const attempt = job.retryCount + 1 - givenBack;
		if (attempt > mostAttempts) {
			return { id: job.id, status: 'deadletter', output: { reason: 'its worker was lost' } };
		}
		const names = { id: writeJobId(queue, job.id), ...(readQueueName(queue) ?? { kind: '', labels: [] }) };
		const signal = AbortSignal.any([job.signal, this.#end.signal]);
		let outcome: JobOutcome | { readonly state: 'lost'; readonly reason: string };
		try {
			const { singletonKey, groupId, retryCount } = job;
			const asked = { ...names, key: singletonKey ?? '', payload, group: groupId ?? undefined, attempt, answer };
			outcome = checkJobOutcome(await this.#deps.handle({ ...asked, isTakenBefore: retryCount > 0 }, signal));
		} catch (error) {
			outcome = { state: 'lost', reason: toErrorMessage(error) };
		}
		if (this.#end.signal.aborted) {
			return await this.#giveBack(queue, job);
		}
		switch (outcome.state) {
			case 'done':
				return { id: job.id, status: 'completed', output: { value: outcome.result } };
			case 'failed':
				return { id: job.id, status: 'deadletter', output: { reason: outcome.reason } };
			case 'lost':
				return {
					id: job.id,
					status: attempt < mostAttempts ? 'failed' : 'deadletter',
					output: { reason: outcome.reason },
				};
			case 'parked':
				await this.#putBack(queue, job, { question: outcome.question });
				return { id: job.id, status: 'completed' };
		}
	}

	async #giveBack(queue: string, job: JobWithMetadata<JobData>): Promise<JobResult> {
		await this.#putBack(queue, job, {});
		return { id: job.id, status: 'completed' };
	}

	/**
	 * Not as a lost attempt. After it the job is not this attempt's any more, so the result that pg-boss is told counts for
	 * nothing; and where it is another's already, nothing changes.
	 */
	async #putBack(
		queue: string,
		{ id, retryCount, data }: JobWithMetadata<JobData>,
		change: Pick<JobData, 'question'>,
	): Promise<void> {
		await runInTransaction(this.#boss, async (db) => {
			const { affected } = (await this.#boss.fail(queue, { id, retryCount }, null, { db })) as {
				readonly affected: number;
			};
			if (affected === 0) {
				return;
			}
			const next = { ...data, givenBack: data.givenBack + 1, ...change };
			const startAfter = change.question === undefined ? new Date(0) : PARKED_UNTIL;
			await this.#boss.update(queue, next, { id, startAfter, db });
		});
	}
}
