import { ProwessError } from '../protocol/errors/errors.ts';
import { text } from '../protocol/text/text.ts';
import type { JobOutcome, JobSchedule, NewJob } from './ports/work-port.ts';

/** Names that all keepers of jobs and their databases can take. */
const JOB_NAME = /^[a-z][a-z0-9-]{0,39}$/;
const JOB_KEY = /^[\w.-]{1,200}$/;
const MOST_JOB_LABELS = 8;
const MOST_JOBS = 1_000;
const MOST_PAYLOAD_CHARS = 200_000;
const MOST_PRIORITY = 1_000;

/** Number of times that a job is begun at most, if it does not say. */
export const USUAL_ATTEMPTS = 3;
const MOST_ATTEMPTS = 100;

/** Labels in one order, each once. */
export function sortLabels(labels: readonly string[] = []): string[] {
	return [...new Set(labels)].toSorted();
}

/** Throws INVALID_PARAMS, which names the job and what is wrong with it. */
export function checkJobs(jobs: readonly NewJob[]): void {
	if (jobs.length === 0 || jobs.length > MOST_JOBS) {
		throw new ProwessError('INVALID_PARAMS', `${jobs.length} jobs at once; expected 1 to ${MOST_JOBS}`);
	}
	const keys = new Set(jobs.map(({ key }) => key));
	if (keys.size < jobs.length) {
		throw new ProwessError('INVALID_PARAMS', 'two of the jobs have the same key');
	}
	const before = new Set<string>();
	for (const job of jobs) {
		const problem = findJobProblem(job) ?? findOrderProblem(job, keys, before);
		if (problem !== undefined) {
			throw new ProwessError('INVALID_PARAMS', `job ${JSON.stringify(job.key.slice(0, 200))}: ${problem}`);
		}
		checkPayload(job);
		before.add(job.key);
	}
}

/** Throws INVALID_PARAMS. The pattern is left to its reader. */
export function checkJobSchedule({ name, job }: JobSchedule): void {
	if (!JOB_KEY.test(name)) {
		throw new ProwessError('INVALID_PARAMS', `${JSON.stringify(name.slice(0, 200))} is no name of a schedule`);
	}
	checkJobs([job]);
}

/** Returns the outcome. Throws where it is no JSON: a keeper that tried to write it would try for ever. */
export function checkJobOutcome(outcome: JobOutcome): JobOutcome {
	JSON.stringify(outcome);
	return outcome;
}

function findJobProblem({ kind, labels = [], key, priority = 0, mostAttempts = USUAL_ATTEMPTS }: NewJob) {
	if (!JOB_NAME.test(kind)) {
		return `${JSON.stringify(kind)} is no kind: expected lower-case letters, digits and hyphens`;
	}
	const label = labels.find((each) => !JOB_NAME.test(each));
	if (label !== undefined || labels.length > MOST_JOB_LABELS) {
		return label === undefined ? `more than ${MOST_JOB_LABELS} labels` : `${JSON.stringify(label)} is no label`;
	}
	if (!JOB_KEY.test(key)) {
		return 'its key is empty, longer than 200, or has more than letters, digits, "_", "." and "-"';
	}
	if (!Number.isInteger(priority) || Math.abs(priority) > MOST_PRIORITY) {
		return `priority ${priority} is not between -${MOST_PRIORITY} and ${MOST_PRIORITY}`;
	}
	return Number.isInteger(mostAttempts) && mostAttempts >= 1 && mostAttempts <= MOST_ATTEMPTS
		? undefined
		: `${mostAttempts} attempts are not between 1 and ${MOST_ATTEMPTS}`;
}

/** The only problem that somebody who types a prompt can make. */
function checkPayload({ key, payload }: NewJob): void {
	const { length } = JSON.stringify(payload);
	if (length > MOST_PAYLOAD_CHARS) {
		const message = `job "${key}": its payload has ${length} characters; at most ${MOST_PAYLOAD_CHARS} are taken`;
		const said = text('This job has {length} characters; at most {limit} are taken. Shorten its prompt.', {
			length,
			limit: MOST_PAYLOAD_CHARS,
		});
		throw new ProwessError('INVALID_PARAMS', message, { said });
	}
}

/** Each comes after those that it waits for: so none waits for itself, by whichever way. */
function findOrderProblem({ after = [] }: NewJob, keys: ReadonlySet<string>, before: ReadonlySet<string>) {
	const wrong = after.find((key) => !before.has(key));
	return wrong === undefined
		? undefined
		: `it waits for ${JSON.stringify(wrong)}, which ${keys.has(wrong) ? 'stands behind it' : 'is not among these jobs'}`;
}
