/** Jobs of a team: PostgreSQL keeps them, and pg-boss has the leases, the order, the schedules and the attempts. */
import { type ConstructorOptions, type Db, type JobWithMetadata, PgBoss, type Schedule } from 'pg-boss';
import { toErrorMessage } from '../base/text/message-of.ts';
import { raceTimeout } from '../base/time/bounded-wait.ts';
import { checkJobs, checkJobSchedule, USUAL_ATTEMPTS } from '../contract/check-jobs.ts';
import type { TeamPart } from '../contract/ports/team-port.ts';
import type {
	JobHandler,
	JobId,
	JobRecord,
	JobSchedule,
	JobState,
	JobWorker,
	NewJob,
	WorkerOffer,
	WorkPort,
	WorkState,
} from '../contract/ports/work-port.ts';
import { ProwessError } from '../protocol/errors/errors.ts';
import { runInTransaction, type JobData, joinQueueName, readJobId, readQueueName, writeJobId } from './job-data.ts';
import { teamLimits } from './limits.ts';
import { MAKE_QUEUE } from './team-rights.ts';
import { TeamWorker, type TeamWorkerDeps } from './team-worker.ts';

interface TeamWorkOptions {
	/** Address of the database, as PostgreSQL's own programs take it. */
	readonly url: string;
	/** Schema of that database in which the jobs are. */
	readonly schema: string;
	/** Absent where nothing leaves this machine. */
	readonly ssl?: ConstructorOptions['ssl'];
	/** Makes the schema, or brings it to this version. */
	readonly mayMigrate: boolean;
	/** Absent: with all rights, those of whoever owns the schema. */
	readonly as?: TeamPart;
	/** Told of what the connection could not do; it goes on by itself. */
	readonly onProblem: (error: unknown) => void;
	/** Instead of `teamLimits.queuesMs`. */
	readonly lookMs?: number;
	/** Time that a spec drives by hand. */
	readonly clock?: NonNullable<ConstructorOptions['clock']>;
}

/** Rejects with REQUEST_FAILED when the database cannot be reached, or has no schema of this version. */
export async function openTeamWork(options: TeamWorkOptions): Promise<WorkPort> {
	const { url, ssl, schema, mayMigrate, as, onProblem, lookMs = teamLimits.queuesMs, clock } = options;
	const isMember = as === 'member';
	const boss = new PgBoss({
		connectionString: url,
		...(ssl !== undefined && { ssl }),
		schema,
		max: isMember ? teamLimits.memberConnections : teamLimits.connections,
		...databaseWaits,
		migrate: mayMigrate,
		createSchema: mayMigrate,
		// Processes that take jobs look after them, for all.
		useListenNotify: !isMember,
		supervise: !isMember,
		schedule: !isMember,
		registerInstance: !isMember,
		superviseIntervalSeconds: teamLimits.superviseS,
		monitorIntervalSeconds: teamLimits.superviseS,
		flowIntervalSeconds: 1,
		openTelemetry: { enabled: false },
		...(clock === undefined ? {} : { clock }),
	});
	boss.on('error', onProblem);
	boss.on('warning', onProblem);
	try {
		await askDatabase(() => boss.start());
	} catch (error) {
		await stopBoss(boss, onProblem);
		throw error;
	}
	return new TeamWork(boss, { schema, as, onProblem, lookMs });
}

type TeamWorkDeps = Pick<TeamWorkerDeps, 'onProblem' | 'lookMs'> & {
	readonly schema: string;
	readonly as: TeamPart | undefined;
};

class TeamWork implements WorkPort {
	readonly #boss: PgBoss;
	readonly #deps: TeamWorkDeps;
	readonly #workers = new Set<TeamWorker>();
	readonly #made = new Set<string>();

	constructor(boss: PgBoss, deps: TeamWorkDeps) {
		this.#boss = boss;
		this.#deps = deps;
	}

	async enqueue(jobs: readonly NewJob[], signal: AbortSignal): Promise<JobId[]> {
		checkJobs(jobs);
		return await askDatabase(async () => {
			for (const job of jobs) {
				await this.#makeQueue(joinQueueName(job), signal);
			}
			const [only] = jobs;
			return jobs.length === 1 && only !== undefined ? [await this.#send(only, signal)] : await this.#sendAll(jobs);
		});
	}

	take(offer: WorkerOffer, handle: JobHandler): JobWorker {
		if (this.#deps.as === 'member') {
			throw new ProwessError('ACCESS_DENIED', 'a member of a team adds jobs and takes none');
		}
		const worker = new TeamWorker(this.#boss, { ...this.#deps, offer, handle });
		this.#workers.add(worker);
		return {
			drain: async (signal) => {
				await worker.drain(signal);
				this.#workers.delete(worker);
			},
		};
	}

	async cancel(id: JobId, signal: AbortSignal): Promise<boolean> {
		const { queue, uuid } = readJobId(id);
		signal.throwIfAborted();
		const job = await askDatabase(async () => {
			// No queue, no job: pg-boss would refuse its name.
			const isKnown = (await this.#boss.getQueue(queue)) !== null;
			return isKnown ? (await this.#boss.findJobs<JobData>(queue, { id: uuid }))[0] : undefined;
		});
		if (job === undefined || hasJobEnded(job)) {
			return false;
		}
		const { affected } = (await askDatabase(() => this.#boss.cancel(queue, uuid))) as { readonly affected: number };
		return affected === 1;
	}

	async answer(id: JobId, questionId: string, answer: unknown, signal: AbortSignal): Promise<boolean> {
		const { queue, uuid } = readJobId(id);
		signal.throwIfAborted();
		const answerOnce = async (db: Db) => {
			// Answers come one after the other: the second finds the question gone.
			await db.executeSql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [id]);
			const [job] = await this.#boss.findJobs<JobData>(queue, { id: uuid, db });
			if (job === undefined || hasJobEnded(job) || job.data.question?.id !== questionId) {
				return false;
			}
			const { question: _, ...data } = job.data;
			await this.#boss.update(queue, { ...data, answer }, { id: uuid, startAfter: new Date(0), db });
			return true;
		};
		return await askDatabase(() => runInTransaction(this.#boss, answerOnce));
	}

	async schedule(schedule: JobSchedule, signal: AbortSignal): Promise<void> {
		checkJobSchedule(schedule);
		const { name, pattern, zone, missed, job } = schedule;
		const queue = joinQueueName(job);
		await askDatabase(async () => {
			await this.#makeQueue(queue, signal);
			const old = await this.#findSchedule(name);
			try {
				this.#boss.previewSchedule(pattern, { tz: zone, count: 1 });
			} catch (error) {
				throw new ProwessError('INVALID_PARAMS', `"${pattern}" in ${zone}: ${toErrorMessage(error)}`);
			}
			await this.#boss.schedule(queue, pattern, toJobData(job), { tz: zone, key: name, missed, ...toSendOptions(job) });
			if (old !== undefined && old !== queue) {
				await this.#boss.unschedule(old, name);
			}
		});
	}

	async unschedule(name: string, signal: AbortSignal): Promise<boolean> {
		return await askDatabase(async () => {
			const queue = await this.#findSchedule(name);
			signal.throwIfAborted();
			if (queue !== undefined) {
				await this.#boss.unschedule(queue, name);
			}
			return queue !== undefined;
		});
	}

	async state(signal: AbortSignal): Promise<WorkState> {
		return await askDatabase(async () => {
			const jobs: JobRecord[] = [];
			for (const { name } of await this.#boss.getQueues()) {
				signal.throwIfAborted();
				if (readQueueName(name) !== undefined) {
					jobs.push(...(await this.#listShown(name)));
				}
			}
			const schedules = await this.#boss.getSchedules();
			return { jobs: jobs.toSorted((a, b) => a.createdAt - b.createdAt), schedules: schedules.flatMap(toTeamSchedule) };
		});
	}

	async dispose(): Promise<void> {
		const now = AbortSignal.abort();
		await Promise.all([...this.#workers].map((worker) => worker.drain(now)));
		this.#workers.clear();
		await stopBoss(this.#boss, this.#deps.onProblem);
	}

	async #send(job: NewJob, signal: AbortSignal): Promise<JobId> {
		const queue = joinQueueName(job);
		for (let sent = 0; sent < teamLimits.sends; sent++) {
			signal.throwIfAborted();
			const id = await this.#boss.send(queue, toJobData(job), toSendOptions(job));
			// None: it ended between the two questions.
			const uuid = id ?? (await this.#findHeld(job))?.id;
			if (uuid !== undefined) {
				return writeJobId(queue, uuid);
			}
		}
		throw new Error(`jobs with the key ${job.key} come and go too fast for another one`);
	}

	async #findHeld({ key, ...names }: NewJob): Promise<JobWithMetadata<JobData> | undefined> {
		for await (const job of this.#eachJob(joinQueueName(names), { key })) {
			if (!hasJobEnded(job)) return job;
		}
		return undefined;
	}

	/** The oldest first. */
	async *#eachJob(queue: string, of: { readonly key?: string } = {}): AsyncGenerator<JobWithMetadata<JobData>> {
		const limit = teamLimits.shownJobs;
		let page: JobWithMetadata<JobData>[] = [];
		do {
			const last = page.at(-1)?.id;
			page = await this.#boss.findJobs<JobData>(queue, { ...of, limit, ...(last !== undefined && { after: last }) });
			yield* page;
		} while (page.length === limit);
	}

	/** Jobs that have not ended, and the latest that have. */
	async #listShown(queue: string): Promise<JobRecord[]> {
		const open: JobRecord[] = [];
		let ended: JobRecord[] = [];
		for await (const job of this.#eachJob(queue)) {
			(hasJobEnded(job) ? ended : open).push(toTeamRecord(queue, job));
			if (ended.length >= 2 * teamLimits.shownJobs) ended = ended.slice(-teamLimits.shownJobs);
		}
		return [...ended.slice(-teamLimits.shownJobs), ...open];
	}

	async #sendAll(jobs: readonly NewJob[]): Promise<JobId[]> {
		const isOrdered = jobs.some(({ after = [] }) => after.length > 0);
		try {
			return isOrdered
				? await this.#sendInOrder(jobs)
				: await runInTransaction(this.#boss, (db) => this.#sendEach(jobs, db));
		} catch (error) {
			for (const job of jobs) {
				if ((await this.#findHeld(job)) !== undefined) {
					const message = `a job of kind ${job.kind} with the key "${job.key}" is there already`;
					throw new ProwessError('INVALID_STATE', message);
				}
			}
			throw error;
		}
	}

	async #sendEach(jobs: readonly NewJob[], db: Db): Promise<JobId[]> {
		const ids: JobId[] = [];
		for (const job of jobs) {
			const queue = joinQueueName(job);
			const uuid = await this.#boss.send(queue, toJobData(job), { ...toSendOptions(job), db });
			if (uuid === null) {
				throw new Error(`the key ${job.key} is held`);
			}
			ids.push(writeJobId(queue, uuid));
		}
		return ids;
	}

	async #sendInOrder(jobs: readonly NewJob[]): Promise<JobId[]> {
		const ids = await this.#boss.flow(
			jobs.map((job) => ({
				ref: job.key,
				name: joinQueueName(job),
				data: toJobData(job),
				options: toSendOptions(job),
				dependsOn: [...(job.after ?? [])],
			})),
		);
		return jobs.map((job) => writeJobId(joinQueueName(job), ids[job.key] ?? ''));
	}

	async #makeQueue(name: string, signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		if (!this.#made.has(name)) {
			const { schema, as } = this.#deps;
			await (as === undefined
				? this.#boss.createQueue(name, queueOptions)
				: this.#boss.getDb().executeSql(`SELECT ${schema}.${MAKE_QUEUE}($1)`, [name]));
			this.#made.add(name);
		}
	}

	async #findSchedule(name: string): Promise<string | undefined> {
		const schedules = await this.#boss.getSchedules();
		return schedules.find(({ name: queue, key }) => key === name && readQueueName(queue) !== undefined)?.name;
	}
}

/** Longest waits for the database, of every connection. */
export const databaseWaits = {
	connectionTimeoutMillis: teamLimits.connectMs,
	// Handed on to the driver: a database that says nothing any more holds up neither a command nor the next look for jobs.
	query_timeout: teamLimits.queryMs,
} as const;

/** Ends the connections. Never rejects. A server that is gone without a word never says that one has ended: it is not waited for. */
export async function stopBoss(boss: PgBoss, onProblem: (error: unknown) => void): Promise<void> {
	await raceTimeout(boss.stop({ graceful: false }).catch(onProblem), teamLimits.closeMs);
}

/** Options of every queue of jobs. */
export const queueOptions = {
	policy: 'exclusive',
	notify: true,
	retryLimit: teamLimits.takes,
	retryDelay: 0,
	heartbeatSeconds: teamLimits.heartbeatS,
	expireInSeconds: teamLimits.jobS,
	retentionSeconds: teamLimits.waitingS,
	deleteAfterSeconds: teamLimits.endedS,
} as const;

/** Rejects with REQUEST_FAILED when the database does not do it. */
export async function askDatabase<T>(work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const isOurs = error instanceof ProwessError || (error instanceof Error && error.name === 'AbortError');
		throw isOurs
			? error
			: new ProwessError('REQUEST_FAILED', `the team's database cannot be used: ${toErrorMessage(error)}`);
	}
}

function toTeamSchedule({ name, key, cron, timezone, options = {}, data }: Schedule): JobSchedule[] {
	const names = readQueueName(name);
	if (names === undefined) {
		return [];
	}
	const { payload, mostAttempts } = data as JobData;
	const { singletonKey = '', group, priority, missed = 'skip' } = options;
	const more = { ...(group && { group: group.id }), ...(priority !== undefined && { priority }), mostAttempts };
	const job = { ...names, key: singletonKey, payload, ...more };
	return [{ name: key, pattern: cron, zone: timezone, missed, job }];
}

function toJobData({ payload, mostAttempts = USUAL_ATTEMPTS }: NewJob): JobData {
	return { payload, mostAttempts, givenBack: 0 };
}

function toSendOptions({ key, group, priority = 0 }: NewJob) {
	return { singletonKey: key, priority, ...(group !== undefined && { group: { id: group } }) };
}

const hasJobEnded = ({ state }: JobWithMetadata<JobData>) =>
	state === 'completed' || state === 'cancelled' || state === 'failed';

function toTeamRecord(queue: string, job: JobWithMetadata<JobData>): JobRecord {
	const { data, output, retryCount, startedOn } = job;
	const states: Readonly<Record<typeof job.state, JobState>> = {
		created: 'waiting',
		retry: data.question === undefined ? 'waiting' : 'parked',
		active: 'working',
		completed: 'done',
		cancelled: 'cancelled',
		failed: 'failed',
	};
	const state = states[job.state];
	const takes = startedOn === null ? 0 : retryCount + 1;
	const said = output as { readonly value?: unknown; readonly reason?: string; readonly message?: string } | null;
	return {
		id: writeJobId(queue, job.id),
		...(readQueueName(queue) ?? { kind: '', labels: [] }),
		key: job.singletonKey ?? '',
		payload: data.payload,
		group: job.groupId ?? undefined,
		priority: job.priority,
		state,
		attempts: Math.max(0, takes - data.givenBack),
		question: state === 'parked' ? data.question : undefined,
		result: state === 'done' ? said?.value : undefined,
		reason: state === 'failed' ? (said?.reason ?? said?.message) : undefined,
		createdAt: job.createdOn.getTime(),
	};
}
