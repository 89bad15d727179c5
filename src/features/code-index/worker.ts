/** Entry of the worker of the code index, which is started for a single job; its host can end it sooner. */
import { parentPort } from 'node:worker_threads';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { answerCalls } from '../../machine/threads/answer-calls.ts';
import type { JobCalls } from '../../machine/threads/thread-job.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { type IndexAnswer, type IndexJob, runIndexJob } from './index-job.ts';

function runOrFail(job: IndexJob): IndexAnswer {
	try {
		return runIndexJob(job);
	} catch (error) {
		throw isProwessError(error) ? error : new ProwessError('STORE_UNAVAILABLE', toErrorMessage(error), {}, error);
	}
}

if (parentPort !== null) answerCalls<JobCalls<IndexJob, IndexAnswer>>(parentPort, { run: runOrFail });
