/** Entry of the search worker: one job, one answer, end. Whoever started it ends it sooner by terminating it. */
import { messageOf } from '../../base/text/message-of.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { isProwessError } from '../../protocol/errors.ts';
import type { JobReply } from './worker-job.ts';
import { runSearchJob, type SearchAnswer, type SearchJob } from './search-job.ts';

function answer(): JobReply<SearchAnswer> {
	try {
		return { answer: runSearchJob(workerData as SearchJob) };
	} catch (error) {
		return {
			code: isProwessError(error) ? error.code : 'INTERNAL',
			message: messageOf(error),
			facts: isProwessError(error) ? error.facts : {},
		};
	}
}

parentPort?.postMessage(answer());
