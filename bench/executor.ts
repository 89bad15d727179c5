/** Benchmark of the channel to an executor: to its first word (G1), for each op (G3), and the check of a frame (G5). */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecutorChannel } from '../src/execution/processes/executor-channel.ts';
import { ExecutorProcess } from '../src/execution/processes/executor-process.ts';
import { SideExecution } from '../src/execution/runs/run/side-execution.ts';
import type { SideExecutionOptions } from '../src/execution/runs/run/side-execution-options.ts';
import { CommandGuard } from '../src/machine/shell/command-guard.ts';
import type { ThreadContext } from '../src/protocol/execution/execution.ts';
import { checkEnvelope, readExecutorFrame } from '../src/protocol/execution/executor-frame.ts';
import { changeFigures } from './change-loop.ts';
import { executionFigures, type Place } from './executions.ts';
import { workerFigures } from './workers.ts';
import { exitOf, type Figure, ms, paired, ratio, tableOf } from './measure.ts';

const root = join(import.meta.dirname, '..');
const skill = join(root, 'dist/executors/skill.mjs');
const COLD_ROUNDS = 25;
const DISPATCH_ROUNDS = 9;
/** Below the burst of the frame budget, so that nothing is held back. */
const DISPATCHES = 380;
const AT_ONCE = 16;

function makePlace(): Place {
	const home = realpathSync(mkdtempSync(join(tmpdir(), 'prowess-bench-')));
	const guard = new CommandGuard();
	return {
		home,
		guard,
		async close() {
			await guard.close();
			rmSync(home, { recursive: true, force: true });
		},
	};
}

const processOf = ({ home, guard }: Place, program: string, readable: readonly string[]) => ({
	program,
	readable,
	snapshot: join(home, 'snapshot'),
	scratchRoot: join(home, 'scratch'),
	bwrap: undefined,
	channel: 'descriptor' as const,
	guard,
	variables: {
		sideExecutionId: 'side_bench',
		threadId: null,
		parentAgentId: null,
		parentAgentInstanceId: null,
		capabilityPath: join(home, 'snapshot'),
	},
});

async function untilReady(place: Place): Promise<number> {
	const started = performance.now();
	const executor = await ExecutorProcess.start(processOf(place, skill, [join(root, 'dist/executors/*')]));
	const elapsed = await new Promise<number>((resolve, reject) => {
		const failed = () => reject(new Error(`the executor ended${executor.lastOutput}`));
		const channel = new ExecutorChannel(executor.wire, {
			onFrame() {
				resolve(performance.now() - started);
				channel.close();
			},
			onForged: () => {},
			onViolation: failed,
			onUnanswered: () => {},
			onClosed: failed,
		});
	});
	executor.kill();
	await executor.ended;
	return elapsed;
}

const contextAt = (home: string): ThreadContext => ({
	threadId: null,
	messages: [],
	projectPath: null,
	agentId: null,
	agentInstanceId: null,
	metadata: {},
	capability: { name: 'bench', type: 'skill', path: home, config: {}, executionId: 'cap_bench' },
});
const answer = { path: 'src/a.ts', text: 'export const a = 1;\n', startLine: 1, endLine: 1, totalLines: 1 };

/** Microseconds of processor time of both ends, for one op of an executor; what the op itself takes is part of it. */
async function overChannel(place: Place, perform: SideExecutionOptions['perform']): Promise<number> {
	let before: NodeJS.CpuUsage | undefined;
	const execution = new SideExecution({
		executionId: 'cap_bench',
		params: { count: DISPATCHES, atOnce: AT_ONCE },
		context: contextAt(place.home),
		timeoutMs: 0,
		process: processOf(place, join(root, 'bench/dispatching-executor.ts'), [
			...['bench', 'src'].map((each) => join(root, each, '*')),
			join(root, 'package.json'),
			join(root, 'node_modules'),
			join(root, 'node_modules/ws/*'),
			join(realpathSync(join(root, 'node_modules/ws')), '*'),
		]),
		perform(...asked) {
			before ??= process.cpuUsage();
			return perform(...asked);
		},
		note: (_, text) => console.error(text),
		onProgress: () => {},
	});
	const end = await execution.ended;
	const { user, system } = process.cpuUsage(before);
	await execution.closed;
	if (end.status !== 'completed') {
		throw end.error;
	}
	return (user + system + Number(end.value)) / DISPATCHES;
}

/** Costs nothing: what is measured is the channel. */
const answerAtOnce: SideExecutionOptions['perform'] = ({ opId }) => {
	const receipt = { writer: 'bench', seq: 1, hash: '' };
	return Promise.resolve({ status: 'done', opId, result: answer, durationMs: 0, receipt });
};

async function overLines(): Promise<number> {
	const child = spawn(process.execPath, [join(root, 'bench/echoing-lines.mjs'), `${DISPATCHES}`, `${AT_ONCE}`], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	let before: NodeJS.CpuUsage | undefined;
	let rest = '';
	const cpu = await new Promise<number>((resolve) => {
		child.stdout.setEncoding('utf8').on('data', (text: string) => {
			before ??= process.cpuUsage();
			const lines = (rest + text).split('\n');
			rest = lines.pop() ?? '';
			for (const line of lines) {
				const { id, cpu: own } = JSON.parse(line) as { id?: string; cpu?: number };
				if (own === undefined) child.stdin.write(`${JSON.stringify({ id, ok: answer })}\n`);
				else resolve(own);
			}
		});
	});
	const { user, system } = process.cpuUsage(before);
	await new Promise((resolve) => child.once('close', resolve));
	return (user + system + cpu) / DISPATCHES;
}

const frame = JSON.stringify({
	type: 'dispatch',
	dispatchId: 'd-123',
	op: 'fs.edit',
	params: { path: 'src/a.ts', edits: [{ oldText: 'const a = 1;', newText: 'const a = 2;', all: false }] },
});
const FRAMES = 200_000;

function perFrame(work: () => unknown): () => Promise<number> {
	return () => {
		const started = performance.now();
		for (let at = 0; at < FRAMES; at += 1) work();
		return Promise.resolve(((performance.now() - started) * 1_000_000) / FRAMES);
	};
}

export async function executorFigures(): Promise<Figure[]> {
	if (!existsSync(skill)) {
		throw new Error(`${skill} does not exist: build first`);
	}
	const figures: Figure[] = [];
	const place = makePlace();
	const bar = (goal: string, what: string, measured: string, value: number, limit: number) =>
		figures.push({
			goal,
			what,
			measured: `${value.toFixed(2)}x (${measured})`,
			bar: `<= ${limit}x`,
			met: value <= limit,
		});

	try {
		const cold = await paired(COLD_ROUNDS, {
			floor: () => exitOf([process.execPath, '-e', '0']),
			ready: () => untilReady(place),
		});
		bar(
			'G1',
			'cold executor, spawn to its first frame',
			ms(cold['ready']?.value),
			cold['ready']?.ratio ?? Number.NaN,
			1.8,
		);
		const op = await paired(DISPATCH_ROUNDS, { lines: overLines, channel: () => overChannel(place, answerAtOnce) });
		const us = (value = Number.NaN) => `${value.toFixed(0)} us`;
		bar(
			'G3',
			'processor time of an op, 16 in flight',
			us(op['channel']?.value),
			op['channel']?.ratio ?? Number.NaN,
			2.6,
		);
		const value = JSON.parse(frame) as Record<string, unknown>;
		const check = await paired(7, {
			parse: perFrame(() => JSON.parse(frame)),
			guard: perFrame(() => checkEnvelope(value)),
			whole: perFrame(() => readExecutorFrame(frame)),
		});
		const ns = (nanoseconds = Number.NaN) => `${nanoseconds.toFixed(0)} ns`;
		bar('G5', 'guard of an envelope', ns(check['guard']?.value), check['guard']?.ratio ?? Number.NaN, 0.1);
		figures.push({
			goal: 'G5',
			what: 'with parse, depth, keys and duplicates',
			measured: `${ratio(check['whole'])} (${ns(check['whole']?.value)})`,
			bar: '',
			met: undefined,
		});
		figures.push(...(await workerFigures(place)));
		figures.push(...(await changeFigures(place)));
		figures.push(...(await executionFigures({ program: skill, readable: [join(root, 'dist/executors/*')] }, place)));
	} finally {
		await place.close();
	}
	return figures;
}

if (process.argv[1] === import.meta.filename) {
	for (const line of tableOf(await executorFigures())) console.log(line);
}
