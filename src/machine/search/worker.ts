/**
 * Entry of the search worker, which does a single job, gives a single answer and ends. The process that started the
 * worker can terminate it sooner.
 */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { isProwessError } from '../../protocol/errors.ts';
import type { JobReply } from './worker-job.ts';
import { runSearchJob, type SearchAnswer, type SearchJob } from './search-job.ts';

function answerSearchJob(): JobReply<SearchAnswer> {
	try {
		return { answer: runSearchJob(workerData as SearchJob) };
	} catch (error) {
		return {
			code: isProwessError(error) ? error.code : 'INTERNAL',
			message: toErrorMessage(error),
			facts: isProwessError(error) ? error.facts : {},
		};
	}
}

parentPort?.postMessage(answerSearchJob());
