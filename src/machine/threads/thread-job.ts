/** Job in a thread of its own, which ends with it. Aborting ends the thread at any moment, whatever it is doing. */
import { ThreadCalls } from './thread-calls.ts';
import { workerThread } from './worker-thread.ts';

/** Calls that the script of the thread answers: a single one. */
export interface JobCalls<Job, Answer> {
	run(job: Job): Answer;
}

type JobThread = Parameters<typeof workerThread>[0] & {
	/** False: the process may end before the job does. Default: true. */
	readonly keepsAlive?: boolean;
};

/** Rejects with the error of the job and its code, and with INTERNAL when the thread ended without an answer. */
export async function runThreadJob<Job, Answer>(
	{ keepsAlive = true, ...thread }: JobThread,
	job: Job,
	signal: AbortSignal,
): Promise<Answer> {
	const calls = new ThreadCalls<JobCalls<Job, Answer>>(workerThread(thread), {
		what: thread.what,
		failsWith: 'INTERNAL',
		keepsAlive,
	});
	try {
		return await calls.call('run', job, signal);
	} finally {
		await calls.end();
	}
}
