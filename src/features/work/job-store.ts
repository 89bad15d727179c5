/** Jobs and their schedules on this machine, in SQLite. Synchronous: each call is one transaction. */
import { v7 } from 'uuid';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { Database } from '../../store/database.ts';
import type { ClaimHolder } from '../../store/threads/lease-holder.ts';
import { sortLabels, USUAL_ATTEMPTS } from '../../contract/check-jobs.ts';
import type {
	JobId,
	JobOutcome,
	JobQuestion,
	JobRecord,
	JobSchedule,
	JobState,
	NewJob,
	TakenJob,
	WorkerOffer,
	WorkState,
} from '../../contract/ports/work-port.ts';
import { nextDue } from '../schedule/timing.ts';
import { JOB_REASONS } from './prompt-job.ts';

interface JobRow {
	readonly id: JobId;
	readonly kind: string;
	readonly labels: string;
	readonly key: string;
	readonly payload: string;
	readonly grp: string | null;
	readonly priority: number;
	readonly most_attempts: number;
	readonly state: JobState;
	readonly takes: number;
	readonly given_back: number;
	readonly owner: string;
	readonly question: string | null;
	readonly answer: string | null;
	readonly result: string | null;
	readonly reason: string | null;
	readonly created_at: number;
	readonly taken_at: number | null;
}

interface JobScheduleRow {
	readonly name: string;
	readonly pattern: string;
	readonly zone: string;
	readonly missed: JobSchedule['missed'];
	readonly job: string;
	readonly next_due: number | null;
}

/** Claim of a worker on a job. */
export interface JobClaim {
	readonly id: JobId;
	/** Fencing token. */
	readonly take: number;
	readonly queue: string;
}

/** Jobs of a kind with the same labels. */
const joinJobQueue = ({ kind, labels }: Pick<TakenJob, 'kind' | 'labels'>) => `${kind} ${writeColumn(labels)}`;
const parseColumn = (json: string | null): unknown => (json === null ? undefined : JSON.parse(json));
/** For JSON columns: nothing is null there, too. */
const writeColumn = (value: unknown): string => JSON.stringify(value) ?? 'null';

export class JobStore {
	readonly #db: Database;
	readonly #holder: ClaimHolder;

	constructor(db: Database, holder: ClaimHolder) {
		this.#db = db;
		this.#holder = holder;
	}

	add(jobs: readonly NewJob[]): JobId[] {
		return this.#db.transaction('power', () => {
			const ids = new Map<string, JobId>();
			for (const job of jobs) {
				const held = this.#heldBy(job);
				if (held !== undefined && jobs.length > 1) {
					throw new ProwessError(
						'INVALID_STATE',
						`a job of kind ${job.kind} with the key "${job.key}" is there already`,
					);
				}
				ids.set(job.key, held ?? this.#insert(job, ids));
			}
			this.#prune();
			return [...ids.values()];
		});
	}

	/** The next job for a worker, which is this process's from now on. `busy`: jobs that it has, by `joinJobQueue`. */
	take(
		{ kinds, labels, mostAtOnce, mostOfGroup }: WorkerOffer,
		busy: ReadonlyMap<string, number>,
	): { readonly job: TakenJob; readonly claim: JobClaim } | undefined {
		return this.#db.transaction('power', () => {
			this.#takeBack();
			const sql = `SELECT * FROM job WHERE state = 'waiting' AND kind IN (SELECT value FROM json_each(?))
				AND NOT EXISTS (SELECT 1 FROM json_each(job.labels) WHERE value NOT IN (SELECT value FROM json_each(?)))
				AND NOT EXISTS (SELECT 1 FROM job_after JOIN job AS earlier ON earlier.id = job_after.earlier
					WHERE job_after.job = job.id AND earlier.state <> 'done')
				AND (grp IS NULL OR ? > (SELECT count(*) FROM job AS other WHERE other.state = 'working'
					AND other.grp = job.grp AND other.kind = job.kind AND other.labels = job.labels))
				AND kind || ' ' || labels NOT IN (SELECT value FROM json_each(?))
				ORDER BY priority DESC, place LIMIT 1`;
			const full = [...busy].filter(([, count]) => count >= mostAtOnce).map(([name]) => name);
			const row = this.#db.get<JobRow>(sql, writeColumn(kinds), writeColumn(labels), mostOfGroup, writeColumn(full));
			if (row === undefined) {
				return undefined;
			}
			this.#holder.beat();
			const set = "state = 'working', owner = ?, takes = takes + 1, taken_at = ?";
			this.#db.run(`UPDATE job SET ${set} WHERE id = ?`, this.#holder.owner, this.#holder.now(), row.id);
			const payload = parseColumn(row.payload) as NewJob['payload'];
			const attempt = row.takes + 1 - row.given_back;
			const more = { group: row.grp ?? undefined, isTakenBefore: row.takes > 0 };
			return {
				job: { ...toJobNames(row), ...more, payload, attempt, answer: parseColumn(row.answer) },
				claim: { id: row.id, take: row.takes + 1, queue: joinJobQueue(toJobNames(row)) },
			};
		});
	}

	/** False: the job is another's or nobody's by now, and the outcome counts for nothing. */
	settle(claim: JobClaim, outcome: JobOutcome): boolean {
		switch (outcome.state) {
			case 'done':
				return this.#write(
					claim,
					"state = 'done', result = ?, ended_at = ?",
					writeColumn(outcome.result),
					this.#holder.now(),
				);
			case 'failed':
				return this.#write(claim, "state = 'failed', reason = ?, ended_at = ?", outcome.reason, this.#holder.now());
			case 'parked':
				return this.#write(claim, `state = 'parked', question = ?, ${NO_ATTEMPT}`, writeColumn(outcome.question));
		}
	}

	/** Another attempt, where one is left. */
	lose(claim: JobClaim, reason: string): void {
		const isLast = 'takes - given_back >= most_attempts';
		const set = `state = iif(${isLast}, 'failed', 'waiting'), reason = ?, ended_at = iif(${isLast}, ?, NULL)`;
		this.#write(claim, set, reason, this.#holder.now());
	}

	giveBack(claim: JobClaim): void {
		this.#write(claim, `state = 'waiting', ${NO_ATTEMPT}`);
	}

	holds({ id, take }: JobClaim): boolean {
		return this.#db.get("SELECT 1 FROM job WHERE id = ? AND state = 'working' AND takes = ?", id, take) !== undefined;
	}

	cancel(id: JobId): boolean {
		const sql = "UPDATE job SET state = 'cancelled', question = NULL, ended_at = ? WHERE id = ? AND ended_at IS NULL";
		return this.#db.transaction('power', () => this.#db.run(sql, this.#holder.now(), id) === 1);
	}

	answer(id: JobId, questionId: string, answer: unknown): boolean {
		const sql = `UPDATE job SET state = 'waiting', question = NULL, answer = ?
			WHERE id = ? AND state = 'parked' AND question ->> '$.id' = ?`;
		return this.#db.transaction('power', () => this.#db.run(sql, writeColumn(answer), id, questionId) === 1);
	}

	/** Throws INVALID_PARAMS when the pattern has no time to come. */
	schedule({ name, pattern, zone, missed, job }: JobSchedule): void {
		const next = readNextDue(pattern, zone, this.#holder.now());
		this.#db.transaction('power', () => {
			const sql = 'INSERT OR REPLACE INTO schedule VALUES (?, ?, ?, ?, ?, ?)';
			this.#db.run(sql, name, pattern, zone, missed, writeColumn(job), next);
		});
	}

	unschedule(name: string): boolean {
		return this.#db.transaction('power', () => this.#db.run('DELETE FROM schedule WHERE name = ?', name) === 1);
	}

	/** Adds the jobs of schedules that are due. */
	addDue(): void {
		const now = this.#holder.now();
		const isDue = 'FROM schedule WHERE next_due <= ?';
		if (this.#db.get(`SELECT 1 ${isDue}`, now) === undefined) {
			return;
		}
		this.#db.transaction('power', () => {
			for (const row of this.#db.all<JobScheduleRow>(`SELECT * ${isDue}`, now)) {
				const next = nextDue(row.pattern, row.zone, now) ?? null;
				this.#db.run('UPDATE schedule SET next_due = ? WHERE name = ?', next, row.name);
				const isOnTime = (row.next_due ?? 0) >= now - ON_TIME_MS;
				const job = parseColumn(row.job) as NewJob;
				if ((isOnTime || row.missed === 'once') && this.#heldBy(job) === undefined) {
					this.#insert(job, new Map());
				}
			}
			this.#prune();
		});
	}

	state(): WorkState {
		const schedules = this.#db.all<JobScheduleRow>('SELECT * FROM schedule ORDER BY name');
		return { jobs: readShownJobs(this.#db), schedules: schedules.map(toJobSchedule) };
	}

	dispose(): void {
		this.#db.dispose();
	}

	#heldBy({ kind, labels, key }: NewJob): JobId | undefined {
		const sql = 'SELECT id FROM job WHERE kind = ? AND labels = ? AND key = ? AND ended_at IS NULL';
		return this.#db.get<{ id: JobId }>(sql, kind, writeColumn(sortLabels(labels)), key)?.id;
	}

	#insert(job: NewJob, earlier: ReadonlyMap<string, JobId>): JobId {
		const { kind, labels, key, payload, group = null, priority = 0, after = [], mostAttempts = USUAL_ATTEMPTS } = job;
		const id = `job_${v7()}`;
		const columns = 'id, kind, labels, key, payload, grp, priority, most_attempts, state, created_at';
		const values = [
			id,
			kind,
			writeColumn(sortLabels(labels)),
			key,
			writeColumn(payload),
			group,
			priority,
			mostAttempts,
		];
		const sql = `INSERT INTO job (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?)`;
		this.#db.run(sql, ...values, this.#holder.now());
		for (const each of new Set(after)) {
			this.#db.run('INSERT INTO job_after VALUES (?, ?)', id, earlier.get(each) ?? '');
		}
		return id;
	}

	#takeBack(): void {
		for (const row of this.#db.all<JobRow>("SELECT * FROM job WHERE state = 'working'")) {
			if (!this.#holder.isAlive(row.owner, row.taken_at ?? 0)) {
				this.lose({ id: row.id, take: row.takes, queue: '' }, JOB_REASONS.lost);
			}
		}
	}

	#write({ id, take }: JobClaim, set: string, ...values: (string | number)[]): boolean {
		const sql = `UPDATE job SET ${set} WHERE id = ? AND state = 'working' AND takes = ?`;
		return this.#db.transaction('power', () => this.#db.run(sql, ...values, id, take) === 1);
	}

	/** Never those that others wait for. */
	#prune(): void {
		const isWanted = `SELECT earlier FROM job_after JOIN job AS later ON later.id = job_after.job WHERE later.ended_at IS NULL`;
		const old = `ended_at < ? AND id NOT IN (${isWanted})`;
		const before = this.#holder.now() - KEPT_JOBS_MS;
		this.#db.run(`DELETE FROM job_after WHERE earlier IN (SELECT id FROM job WHERE ${old})`, before);
		this.#db.run(`DELETE FROM job WHERE ${old}`, before);
	}
}

/** A schedule that is found at most this much late is on time. */
const ON_TIME_MS = 2 * 60_000;
/** Jobs that have ended are kept so long. */
const KEPT_JOBS_MS = 7 * 24 * 3_600_000;
/** Jobs that are shown. */
const SHOWN_JOBS = 1_000;

const NO_ATTEMPT = 'given_back = given_back + 1';

/** Oldest first. */
export function readShownJobs(db: Database): readonly JobRecord[] {
	const sql = 'SELECT * FROM (SELECT * FROM job ORDER BY place DESC LIMIT ?) ORDER BY place';
	return db.all<JobRow>(sql, SHOWN_JOBS).map(toJobRecord);
}

function readNextDue(pattern: string, zone: string, now: number): number {
	let next: number | undefined;
	try {
		next = nextDue(pattern, zone, now);
	} catch {
		// Neither a pattern nor a zone that is known.
	}
	if (next === undefined) {
		throw new ProwessError('INVALID_PARAMS', `"${pattern}" in ${zone} has no time to come`);
	}
	return next;
}

function toJobSchedule({ name, pattern, zone, missed, job }: JobScheduleRow): JobSchedule {
	return { name, pattern, zone, missed, job: parseColumn(job) as NewJob };
}

function toJobNames({ id, kind, labels, key }: JobRow) {
	return { id, kind, labels: parseColumn(labels) as string[], key };
}

function toJobRecord(row: JobRow): JobRecord {
	return {
		...toJobNames(row),
		payload: parseColumn(row.payload) as NewJob['payload'],
		group: row.grp ?? undefined,
		priority: row.priority,
		state: row.state,
		attempts: row.takes - row.given_back,
		question: parseColumn(row.question) as JobQuestion | undefined,
		result: parseColumn(row.result),
		reason: row.state === 'failed' ? (row.reason ?? undefined) : undefined,
		createdAt: row.created_at,
	};
}
