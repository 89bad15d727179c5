/** `prowess work …`, and what `prowess serve` needs of jobs: loaded when a command on jobs is run, or a job is to be done. */
import { randomUUID } from 'node:crypto';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { waitOrAborted, withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { JobId, JobRecord, WorkPort } from '../../contract/ports/work-port.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { JobAsks, type JobAnswer, PromptWish } from '../../protocol/jobs.ts';
import { text } from '../../protocol/text/text.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import { formatJson, printRows } from '../invocation/print-result.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { promptText } from '../terminal/standard-input.ts';
import { readJoinedTeam } from '../team/joined-team.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { jobDetails, jobLines } from './job-lines.ts';
import { JobWatch } from './job-watch.ts';
import { workLimits } from './limits.ts';
import { openWork } from './open-work.ts';
import { newPromptJob, retriedJob } from '../../features/work/prompt-job.ts';
import type { WorkHost } from './work-host.ts';

export { takeFolderJobs } from './take-jobs.ts';

type WorkAction = (host: WorkHost, invocation: Invocation, context: CommandContext) => Promise<number>;

export const addJob: WorkAction = async (host, invocation, context) => {
	const { terminal, signal } = context;
	const priority = Number(invocation.values['priority'] ?? '0');
	if (!Number.isInteger(priority)) {
		throw new UsageError(`work add: --priority takes a whole number; got "${invocation.values['priority']}"`);
	}
	const [first = '', file] = invocation.operands;
	if (file !== undefined && first !== 'script') {
		throw new UsageError('work add: expected one prompt, in quotes if it has several words, or "script <file>"');
	}
	const folder = host.trustedWorkspace(invocation, context, 'work add');
	const asked =
		file === undefined
			? { prompt: await promptText(first, terminal.stdin, 'work add: the prompt', signal) }
			: await readScriptForOthers(host, invocation, context, { file, folder });
	const prompt = await redactForOthers(host, invocation, context, asked.prompt);
	const wanted = { labels: invocation.lists['label'] ?? [], priority };
	const job = newPromptJob(randomUUID(), PromptWish.parse({ ...asked, prompt, folder }), wanted);
	return await withWork(host, context, async (port) => {
		const [id = ''] = await port.enqueue([job], signal);
		await reportAdded(host, invocation, context, id);
		return exitCodes.done;
	});
};

export const listJobs: WorkAction = async (host, invocation, context) =>
	await withWork(host, context, async (port) => {
		const { jobs } = await port.state(context.signal);
		const none = 'There are no jobs. Add one with: prowess work add "<prompt>"\n';
		return printRows(invocation, context, jobs, { format: jobLines, none });
	});

export const showJob: WorkAction = async (host, invocation, context) =>
	await withJob(host, invocation, context, async (_port, job) => {
		context.terminal.out(invocation.switches.has('json') ? formatJson(job) : jobDetails(job));
		return exitCodes.done;
	});

/** Says each state that it sees, until the job has ended or waits for an answer. */
export const followJob: WorkAction = async (host, invocation, context) =>
	await withJob(host, invocation, context, async (port, found) => {
		const { terminal, signal } = context;
		const isJson = invocation.switches.has('json');
		let shown: string | undefined;
		for (let job = found; ; job = await findJob(port, found.id, signal)) {
			const isOver = !['waiting', 'working'].includes(job.state);
			const now = `${job.state} ${job.attempts}`;
			if (now !== shown) {
				terminal.out(isJson ? `${JSON.stringify(job)}\n` : isOver ? jobDetails(job) : jobLines(job));
			}
			if (isOver) {
				return job.state === 'done' ? exitCodes.done : job.state === 'parked' ? exitCodes.needsYou : exitCodes.failed;
			}
			shown = now;
			await waitOrAborted(workLimits.followMs, signal);
		}
	});

export const cancelJob: WorkAction = async (host, invocation, context) =>
	await withJob(host, invocation, context, async (port, job) => {
		if (!(await port.cancel(job.id, context.signal))) {
			throw jobNotSo(job, text('This job has ended already.'));
		}
		context.terminal.err(`Cancelled: ${job.id}\n`);
		return exitCodes.done;
	});

/** Adds it once more, as another job with a thread and a worktree of its own. */
export const retryJob: WorkAction = async (host, invocation, context) =>
	await withJob(host, invocation, context, async (port, job) => {
		if (job.state !== 'failed' && job.state !== 'cancelled') {
			throw jobNotSo(job, text('Only a job that has failed or was cancelled can be tried again.'));
		}
		const [id = ''] = await port.enqueue([retriedJob(job)], context.signal);
		await reportAdded(host, invocation, context, id);
		return exitCodes.done;
	});

export const answerJob: WorkAction = async (host, invocation, context) =>
	await withJob(host, invocation, context, async (port, job) => {
		const { terminal, signal } = context;
		const { question } = job;
		const asks = JobAsks.safeParse(question?.asks).data;
		if (question === undefined || asks === undefined) {
			throw jobNotSo(job, text('This job asks nothing now.'));
		}
		const read = readAnswer(invocation, job, asks);
		const words = read.words === '' ? '' : await redactForOthers(host, invocation, context, read.words);
		const said = { questionId: question.id, digest: asks.digest, ...read, words };
		if (!(await port.answer(job.id, question.id, said satisfies JobAnswer, signal))) {
			throw jobNotSo(job, text('This question was answered already, or its job was cancelled.'));
		}
		terminal.err(`Answered: ${job.id}\n`);
		await wakeWorkers(host, context);
		return exitCodes.done;
	});

/** Jobs for a worker of this home with these labels. The caller disposes of it. */
export async function watchJobs(
	{ openHome }: WorkHost,
	{ environment }: Pick<CommandContext, 'environment'>,
	labels: readonly string[],
	onNews: () => void,
): Promise<JobWatch> {
	return new JobWatch({ home: openHome(environment), labels, onNews });
}

/** The script without secrets. Rejects with INVALID_PARAMS for one that could not run here. */
async function readScriptForOthers(
	host: WorkHost,
	invocation: Invocation,
	context: CommandContext,
	{ file, folder }: { readonly file: string; readonly folder: string },
): Promise<Pick<PromptWish, 'prompt' | 'script'>> {
	const ours = { workspace: folder, approvalMode: 'never' } as const;
	return await host.withHost(invocation, context, ours, async (opened) => {
		const { redact, scripts } = await opened.trustedBase();
		const script = redact(host.readScriptFile(file, 'work add'));
		return { prompt: `Script: ${(await scripts.read(script, file)).name}`, script };
	});
}

/** Others read what a job keeps: what is secret in it stays here. */
async function redactForOthers(
	host: WorkHost,
	invocation: Invocation,
	context: CommandContext,
	words: string,
): Promise<string> {
	const ours = { workspace: undefined, approvalMode: 'never' } as const;
	return await host.withHost(invocation, context, ours, async (opened) => (await opened.trustedBase()).redact(words));
}

function readAnswer(
	{ operands: [, first = '', reason = ''] }: Invocation,
	job: JobRecord,
	asks: JobAsks,
): Pick<JobAnswer, 'isYes' | 'words' | 'asked'> {
	if (asks.kind === 'words') {
		const words = asks.options[Number(first) - 1] ?? first;
		if (reason !== '' || words.trim() === '') {
			throw new UsageError('work answer: expected one answer, in quotes if it has several words');
		}
		return { isYes: false, words, asked: visibleLine(asks.shown) };
	}
	const isYes = /^y(es)?$/i.test(first);
	if ((!isYes && !/^no?$/i.test(first)) || (isYes && reason !== '')) {
		throw new UsageError('work answer: expected yes, or no with a reason if you like');
	}
	if (isYes && asks.yes === null) {
		throw jobNotSo(job, text('This cannot be allowed from elsewhere. Answer no.'));
	}
	return { isYes, words: reason, asked: asks.title };
}

async function withWork(
	{ openHome }: WorkHost,
	{ environment, terminal }: CommandContext,
	work: (port: WorkPort) => Promise<number>,
): Promise<number> {
	const onProblem = (error: unknown) => terminal.err(`prowess: ${visibleLine(toErrorMessage(error))}\n`);
	const port = await openWork(openHome(environment), onProblem);
	try {
		return await work(port);
	} finally {
		await port.dispose();
	}
}

async function withJob(
	host: WorkHost,
	invocation: Invocation,
	context: CommandContext,
	work: (port: WorkPort, job: JobRecord) => Promise<number>,
): Promise<number> {
	return await withWork(host, context, async (port) =>
		work(port, await findJob(port, invocation.operands[0] ?? '', context.signal)),
	);
}

/** Rejects with NOT_FOUND. */
async function findJob(port: WorkPort, id: JobId, signal: AbortSignal): Promise<JobRecord> {
	const job = (await port.state(signal)).jobs.find((each) => each.id === id);
	if (job === undefined) {
		throw new ProwessError('NOT_FOUND', `there is no job ${id}`, {
			id,
			said: text('There is no job {id}. "prowess work list" shows them.', { id }),
		});
	}
	return job;
}

function jobNotSo({ id, state }: JobRecord, said: ReturnType<typeof text>): ProwessError {
	return new ProwessError('INVALID_STATE', `job ${id} is ${state}`, { id, state, said });
}

async function reportAdded(
	host: WorkHost,
	{ switches }: Invocation,
	context: CommandContext,
	id: JobId,
): Promise<void> {
	const { terminal } = context;
	terminal.out(switches.has('json') ? formatJson({ id }) : `${id}\n`);
	const isForTeam = readJoinedTeam(host.openHome(context.environment)) !== undefined;
	if (!(await wakeWorkers(host, context)) && !isForTeam) {
		terminal.err('Nothing carries out jobs now. Start it with: prowess serve\n');
	}
}

/** False: no background host runs. True also for one that does not answer in time: it finds the job by itself. */
async function wakeWorkers(
	{ openHome, attachToBackground, lookRequest }: WorkHost,
	{ environment }: CommandContext,
): Promise<boolean> {
	const limit = { what: 'waking the background host', timeoutMs: workLimits.requestMs };
	return await withTimeLimit(limit, async (signal) => {
		const attachment = await attachToBackground(openHome(environment), signal);
		try {
			await attachment?.peer.call(lookRequest, {}, signal);
		} finally {
			attachment?.dispose();
		}
		return attachment !== undefined;
	}).catch(() => true);
}
