/** Jobs as pg-boss has them: a queue for each kind with the same labels, and what the job is beside its own columns. */
import type { Db, PgBoss } from 'pg-boss';
import { sortLabels } from '../contract/check-jobs.ts';
import type { JobId, JobQuestion, NewJob } from '../contract/ports/work-port.ts';
import { ProwessError } from '../protocol/errors/errors.ts';

export interface JobData {
	readonly payload: NewJob['payload'];
	readonly mostAttempts: number;
	/** Number of times that it went back without a lost attempt: pg-boss counts each time that it is taken. */
	readonly givenBack: number;
	/** Set while it is parked. */
	readonly question?: JobQuestion;
	readonly answer?: unknown;
}

const QUEUE_PREFIX = 'work';

export function joinQueueName({ kind, labels }: Pick<NewJob, 'kind' | 'labels'>): string {
	return [QUEUE_PREFIX, kind, ...sortLabels(labels)].join('/');
}

/** Undefined for queues of others. */
export function readQueueName(name: string): { readonly kind: string; readonly labels: string[] } | undefined {
	const [prefix, kind, ...labels] = name.split('/');
	return prefix === QUEUE_PREFIX && kind !== undefined ? { kind, labels } : undefined;
}

export function writeJobId(queue: string, uuid: string): JobId {
	return `${queue}/${uuid}`;
}

/** Throws NOT_FOUND for what is no id of a job. */
export function readJobId(id: JobId): { readonly queue: string; readonly uuid: string } {
	const [, queue = '', uuid = ''] = /^(work(?:\/[a-z][a-z0-9-]*)+)\/([0-9a-f-]{36})$/.exec(id) ?? [];
	if (queue === '') {
		throw new ProwessError('NOT_FOUND', `there is no job ${JSON.stringify(id.slice(0, 200))}`);
	}
	return { queue, uuid };
}

/** All of `work` or nothing. */
export async function runInTransaction<T>(boss: PgBoss, work: (db: Db) => Promise<T>): Promise<T> {
	const transaction = await boss.getDb().beginTransaction?.();
	if (transaction === undefined) {
		throw new Error('this connection has no transactions');
	}
	try {
		const result = await work(transaction.db);
		await transaction.commit();
		return result;
	} catch (error) {
		await transaction.rollback();
		throw error;
	}
}
