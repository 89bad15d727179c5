/** `prowess eval run` and `prowess eval compare`. */
import { lstatSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseJsonOrUndefined } from '../../base/text/lenient.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { makeOwnTemporaryFolder } from '../../machine/home-files/own-temporary-folder.ts';
import { isExistingFolder } from '../../machine/paths/is-folder.ts';
import { readRegularFile } from '../../machine/paths/reading/read-regular-file.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import * as z from '../../protocol/text/zod.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import { formatJson } from '../invocation/print-result.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { refuseWithoutSandbox } from './check-try.ts';
import { compareReports } from './compare-reports.ts';
import type { EvalHost } from './eval-host.ts';
import { createEvalReport, EvalReport, formatEvalSums, formatEvalTask, sumEvalReport } from './eval-report.ts';
import { bareInvocation } from './own-home.ts';
import { readTaskSet } from './read-task-set.ts';
import { type EvaluatedTask, runTask } from './run-task.ts';
import type { EvalTask } from './task.ts';

/** Host in the user's own home, which works on no folder. */
const OWN_HOST = { workspace: undefined, approvalMode: 'never' } as const;
const MAX_REPORT_BYTES = 50_000_000;

/** Resolves with the exit code: 0 when every task has passed. A stop keeps the report of what was done so far. */
export async function runEvaluation(host: EvalHost, invocation: Invocation, context: CommandContext): Promise<number> {
	const { terminal } = context;
	const set = resolve(invocation.operands[0] ?? '');
	if (!isExistingFolder(set)) throw new ProwessError('NOT_A_FOLDER', `${set} is no folder`, { path: set });
	const tries = readCount(invocation, 'tries', 2, 10);
	const jobs = readCount(invocation, 'jobs', 1, 16);
	const tasks = chooseTasks(await readTaskSet(set), invocation.lists['task'] ?? []);
	const model = pickModelOptions(invocation);
	const isJson = invocation.switches.has('json');
	const named = model['model'] ?? model['provider'] ?? 'as the settings say';
	const kept = invocation.values['report'];
	const target = kept === undefined ? undefined : newReportPath(kept);
	const evaluated: EvaluatedTask[] = [];
	const createReport = () => createEvalReport({ version: host.version, model: named, tries }, tasks, evaluated);
	/** Whole, after each task: a process that is killed leaves what was done so far. */
	const keepReport = () => {
		if (target !== undefined) host.replaceFile(target, formatJson(createReport()));
	};
	const onEnded = (task: EvaluatedTask) => {
		evaluated.push(task);
		keepReport();
	};
	try {
		await host.withHost(bareInvocation, context, OWN_HOST, async (opened) => {
			const base = await opened.trustedBase();
			// Before a model is asked for anything.
			await refuseWithoutSandbox(base);
			keepReport();
			await evaluateTasks({ tasks, tries, jobs, model, usage: base.usage, named, onEnded }, host, context);
		});
	} catch (error) {
		if (evaluated.length === 0) throw error;
		// Results of the tasks that have ended are not lost.
		terminal.out(isJson ? formatJson(createReport()) : `${formatEvalSums(createReport())}\n`);
		if (!isJson) throw error;
		// Standard output is one report.
		const code = isProwessError(error) ? ` (${error.code})` : '';
		terminal.err(`prowess: ${visibleLine(toErrorMessage(error))}${code}\n`);
		return context.signal.aborted ? exitCodes.stopped : exitCodes.failed;
	}
	terminal.out(isJson ? formatJson(createReport()) : `${formatEvalSums(createReport())}\n`);
	const { passed } = sumEvalReport(createReport());
	return passed === tasks.length ? exitCodes.done : exitCodes.failed;
}

interface Evaluation {
	readonly tasks: readonly EvalTask[];
	readonly tries: number;
	/** Hears of each task that came to its end, in the order of the ends. */
	onEnded(task: EvaluatedTask): void;
	readonly jobs: number;
	readonly model: Readonly<Record<string, string>>;
	/** Name of the model for the count of what is used. */
	readonly named: string;
	/** The user's own quotas. */
	readonly usage: Pick<TrustedBase['usage'], 'begin' | 'used'>;
}

async function evaluateTasks(
	{ tasks, tries, jobs, model, named, usage, onEnded }: Evaluation,
	host: EvalHost,
	{ terminal, environment, system, signal, onKill: onCommandKill }: CommandContext,
): Promise<void> {
	const count = (used: Pick<EvaluatedTask, 'inputTokens' | 'outputTokens' | 'cost'>) =>
		usage.used({ model: named, inputTokens: used.inputTokens, outputTokens: used.outputTokens, cost: used.cost });
	const root = await makeOwnTemporaryFolder('prowess-eval-');
	/** Ends of the hosts of each task that runs, for a second signal; those of tasks that have ended are let go of. */
	const running = new Set<(() => Promise<void>)[]>();
	onCommandKill(async () => {
		await Promise.allSettled([...running].flat().map((end) => end()));
		await root.remove();
	});
	const fault = new AbortController();
	const stopped = AbortSignal.any([signal, fault.signal]);
	const left = tasks.values();
	const takeTasks = async () => {
		for (const task of left) {
			stopped.throwIfAborted();
			// Rejects with QUOTA_EXCEEDED: a task's own home does not know what the others have used.
			usage.begin();
			const ends: (() => Promise<void>)[] = [];
			running.add(ends);
			const onKill = (end: () => Promise<void>) => void ends.push(end);
			try {
				const own = { terminal, server: undefined, environment, system, signal: stopped, onKill };
				const ended = await runTask(root.path, task, { tries, model, count }, host, own);
				terminal.err(`${visibleLine(formatEvalTask(ended))}\n`);
				onEnded(ended);
			} finally {
				running.delete(ends);
			}
		}
	};
	try {
		// The first fault ends the other jobs, and all have ended before their folder goes.
		await Promise.all(Array.from({ length: jobs }, () => takeTasks().catch((error: unknown) => fault.abort(error))));
		if (fault.signal.aborted) signal.throwIfAborted();
		fault.signal.throwIfAborted();
	} finally {
		await root.remove();
	}
}

/** Resolves with the exit code: 1 when a task that passed before fails now, is gone, or was not evaluated. */
export async function compareEvaluations({ operands }: Invocation, { terminal }: CommandContext): Promise<number> {
	const [before, after] = await Promise.all([readReport(operands[0] ?? ''), readReport(operands[1] ?? '')]);
	const { lines, isWorse } = compareReports(before, after);
	terminal.out(`${lines.map((line) => visibleLine(line)).join('\n')}\n`);
	return isWorse ? exitCodes.failed : exitCodes.done;
}

function readCount({ values }: Invocation, option: string, byDefault: number, most: number): number {
	const given = values[option];
	const value = given === undefined ? byDefault : Number(given);
	if (given?.trim() === '' || !Number.isInteger(value) || value < 1 || value > most) {
		throw new UsageError(`eval run: --${option} takes a whole number from 1 to ${most}; got "${given ?? ''}"`);
	}
	return value;
}

/** `wanted`: names of tasks, or of folders above them; none: all. */
function chooseTasks(tasks: readonly EvalTask[], wanted: readonly string[]): readonly EvalTask[] {
	const isMeant = (name: string, each: string) => name === each || name.startsWith(`${each.replace(/\/$/, '')}/`);
	const unknown = wanted.find((each) => !tasks.some(({ name }) => isMeant(name, each)));
	if (unknown !== undefined) {
		throw new UsageError(`eval run: there is no task "${unknown}"; there is ${tasks[0]?.name ?? 'none'}, for example`);
	}
	return wanted.length === 0 ? tasks : tasks.filter(({ name }) => wanted.some((each) => isMeant(name, each)));
}

function pickModelOptions({ values }: Invocation): Readonly<Record<string, string>> {
	const names = ['provider', 'base-url', 'model'];
	return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** Throws NOT_A_FOLDER and ALREADY_EXISTS: no earlier report is lost. */
function newReportPath(given: string): string {
	const path = resolve(given);
	if (!isExistingFolder(dirname(path))) {
		throw new ProwessError('NOT_A_FOLDER', `${dirname(path)} is no folder`, { path: dirname(path) });
	}
	// A link that leads nowhere counts, and so does a name that this disk takes for the same.
	if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
		throw new ProwessError('ALREADY_EXISTS', `${path} is there already`, { path });
	}
	return path;
}

async function readReport(given: string): Promise<EvalReport> {
	const path = resolve(given);
	const text = (await readRegularFile(path, MAX_REPORT_BYTES)).toString('utf8');
	const { data, error } = EvalReport.safeParse(parseJsonOrUndefined(text));
	if (data === undefined) {
		const message = `${path} is no report of prowess eval run --json: ${z.prettifyError(error)}`;
		throw new ProwessError('INVALID_PARAMS', message, { path });
	}
	return data;
}
