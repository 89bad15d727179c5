/**
 * Entry of the worker of the code index: runs one job, sends one answer and ends. The starter can end it sooner by
 * terminating it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { isProwessError } from '../../protocol/errors.ts';
import type { JobReply } from '../../machine/search/worker-job.ts';
import { type IndexAnswer, type IndexJob, runIndexJob } from './index-job.ts';

function createIndexReply(): JobReply<IndexAnswer> {
	try {
		return { answer: runIndexJob(workerData as IndexJob) };
	} catch (error) {
		return { code: isProwessError(error) ? error.code : 'STORE_UNAVAILABLE', message: toErrorMessage(error) };
	}
}

parentPort?.postMessage(createIndexReply());
