/** Entry of the search worker, which is started for a single job; its host can end it sooner. */
import { parentPort } from 'node:worker_threads';
import { answerCalls } from '../threads/answer-calls.ts';
import type { JobCalls } from '../threads/thread-job.ts';
import { runSearchJob, type SearchAnswer, type SearchJob } from './search-job.ts';

if (parentPort !== null) answerCalls<JobCalls<SearchJob, SearchAnswer>>(parentPort, { run: runSearchJob });
