/** Has the agent work on one task: in a folder and a home of its own, at the level *Auto*, with as many tries as were asked for. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { whoDecided } from '../../contract/decision.ts';
import type { ThreadEvent } from '../../protocol/thread/thread.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import { Terminal } from '../terminal/terminal.ts';
import { isUsageError } from '../terminal/usage-error.ts';
import { checkTry } from './check-try.ts';
import type { EvalHost } from './eval-host.ts';
import { layFiles } from './lay-files.ts';
import { evalLimits } from './limits.ts';
import { bareInvocation, makeOwnHome } from './own-home.ts';
import type { EvalTask } from './task.ts';

/** Result of one task, over all tries. */
export interface EvaluatedTask {
	readonly name: string;
	/** Try that passed, from 1; null: none did. */
	readonly passedAt: number | null;
	/** End of each try in words; empty: it passed, and nothing was wrong. */
	readonly tries: readonly string[];
	readonly requests: number;
	readonly inputTokens: number;
	readonly outputTokens: number;
	/** US dollars, as far as prices are known. */
	readonly cost: number;
	/** Ops that a person would have been asked about, and that were refused. */
	readonly questions: number;
	/** Ops that were refused for another reason. */
	readonly denied: number;
	/** True when the ledger of the task fits its hashes. */
	readonly isLedgerIntact: boolean;
	readonly seconds: number;
}

interface EvalOptions {
	readonly tries: number;
	/** Options of the command line that choose the model. */
	readonly model: Readonly<Record<string, string>>;
	/** Counts what a task has used, also one that was stopped, in the user's own quotas. */
	count(used: Pick<EvaluatedTask, 'inputTokens' | 'outputTokens' | 'cost'>): void;
}

interface EndedTry {
	readonly threadId: string | undefined;
	/** Why the turn did not come to its end; undefined: it did. */
	readonly fault: string | undefined;
}

/**
 * `root`: a private folder. Rejects where nothing could be checked, with a UsageError where the options fit no model, and
 * when `context.signal` aborts.
 */
export async function runTask(
	root: string,
	task: EvalTask,
	options: EvalOptions,
	host: EvalHost,
	context: CommandContext,
): Promise<EvaluatedTask> {
	const startedAt = performance.now();
	const place = await mkdtemp(join(root, 'task-'));
	const [home, work] = [join(place, 'home'), join(place, 'work')];
	try {
		const own = await makeOwnHome(home, host, context);
		await mkdir(work);
		await layFiles(task.files, work);
		let worked: Pick<EvaluatedTask, 'passedAt' | 'tries'>;
		let recorded: TaskRecords;
		try {
			worked = await tryTask({ task, place, work, ...options }, host, own, context);
		} finally {
			// Usage counts however the task has ended.
			recorded = await readTaskRecords(host, { ...own, signal: AbortSignal.timeout(evalLimits.recordsMs) });
			options.count(recorded);
		}
		const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
		return { name: task.name, ...worked, ...recorded, seconds };
	} finally {
		await removeFolder(place);
	}
}

interface TaskWork extends Omit<EvalOptions, 'count'> {
	readonly task: EvalTask;
	/** For what each try needs beside the work. */
	readonly place: string;
	readonly work: string;
}

/** `own`: in the home of the task. */
async function tryTask(
	{ task, place, work, model, ...options }: TaskWork,
	host: EvalHost,
	own: CommandContext,
	context: CommandContext,
): Promise<Pick<EvaluatedTask, 'passedAt' | 'tries'>> {
	const tries: string[] = [];
	let passedAt: number | null = null;
	let thread: string | undefined;
	let prompt = task.prompt;
	while (passedAt === null && tries.length < options.tries) {
		const turn = await runAgent({ task, prompt, thread, work, model }, host, own);
		context.signal.throwIfAborted();
		thread ??= turn.threadId;
		const tried = join(place, `try-${tries.length + 1}`);
		await mkdir(tried);
		const { isPassed, why, output } = await checkTry(task, work, tried, host, context);
		await removeFolder(tried);
		tries.push([turn.fault, why].filter((each) => each !== undefined && each !== '').join('; '));
		if (isPassed) passedAt = tries.length;
		const told = `A check of your work has failed: ${why}.\n\n${output}\n\nMend it. The check itself is right.`;
		// A turn that could not begin has told nobody of the task.
		prompt = thread === undefined ? task.prompt : told;
	}
	return { passedAt, tries };
}

/** Never rejects: a folder that a program made hard to remove goes with the root. */
async function removeFolder(path: string): Promise<void> {
	await rm(path, { recursive: true, force: true }).catch(() => undefined);
}

interface AgentRun {
	readonly task: EvalTask;
	readonly prompt: string;
	/** Thread that goes on; undefined: a new one. */
	readonly thread: string | undefined;
	readonly work: string;
	readonly model: Readonly<Record<string, string>>;
}

async function runAgent(
	{ task, prompt, thread, work, model }: AgentRun,
	host: EvalHost,
	context: CommandContext,
): Promise<EndedTry> {
	const invocation: Invocation = {
		operands: [prompt],
		values: {
			...model,
			workspace: work,
			approve: 'auto',
			...(thread !== undefined && { thread }),
			...(task.rounds !== undefined && { rounds: String(task.rounds) }),
			...(task.maxCost !== undefined && { 'max-cost': String(task.maxCost) }),
		},
		lists: {},
		switches: new Set(['trust', 'json']),
	};
	const heard = hearEvents();
	const late = AbortSignal.timeout(task.turnMs);
	const inside: CommandContext = {
		...context,
		terminal: heard.terminal,
		signal: AbortSignal.any([context.signal, late]),
	};
	const failure = await host.runPrompt(invocation, inside).then(
		() => undefined,
		(error: unknown) => {
			// With the first try: what the agent has done since is no fault of the command line.
			if (thread === undefined && isUsageError(error)) throw error;
			return toErrorMessage(error);
		},
	);
	const events = heard.events();
	const threadId = events.flatMap((event) => (event.type === 'thread.changed' ? [event.info.id] : []))[0];
	const end = events.findLast((event) => event.type === 'turn.end');
	if (late.aborted) return { threadId, fault: `the turn did not end within ${task.turnMs / 1_000} s` };
	if (end?.outcome === 'done') return { threadId, fault: undefined };
	return {
		threadId,
		fault: `the turn ${end?.outcome ?? 'failed'}: ${end?.error?.code ?? failure ?? 'no reason given'}`,
	};
}

/** A terminal at which nobody sits, and the events that were printed there. */
function hearEvents(): { readonly terminal: Terminal; events(): readonly ThreadEvent[] } {
	let printed = '';
	const stdout = new Writable({
		write(chunk: Buffer, _, done) {
			printed += chunk.toString('utf8');
			done();
		},
	});
	const stderr = new Writable({ write: (_, __, done) => done() });
	return {
		terminal: new Terminal({ stdin: Readable.from([]), stdout, stderr }, {}),
		events: () =>
			printed
				.split('\n')
				.filter((line) => line !== '')
				.map((line) => JSON.parse(line) as ThreadEvent),
	};
}

type TaskRecords = Awaited<ReturnType<typeof readTaskRecords>>;

/** Reads what the home of the task, in which `context` is, has recorded. */
async function readTaskRecords(host: EvalHost, context: CommandContext) {
	return await host.withHost(
		bareInvocation,
		context,
		{ workspace: undefined, approvalMode: 'never' },
		async (opened) => {
			const { ledger, usage } = await opened.trustedBase();
			const { hour, month } = usage.report();
			// A month may have begun while the task was worked on.
			const { requests, inputTokens, outputTokens, cost } = hour.requests > month.requests ? hour : month;
			const denials = await ledger.query({ kind: 'denial', limit: evalLimits.rows });
			const questions = denials.filter(
				({ trigger, decision }) => inEnglish(whoDecided(trigger, decision)) === NOBODY_ASKED,
			).length;
			const { ok } = await ledger.verify(context.signal);
			const denied = denials.length - questions;
			return { requests, inputTokens, outputTokens, cost, questions, denied, isLedgerIntact: ok };
		},
	);
}

const NOBODY_ASKED = 'Nobody could be asked';
