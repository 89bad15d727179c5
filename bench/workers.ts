/**
 * Benchmark of a worker's call in Node and in Python: its lines against bare lines that are echoed, and the whole call,
 * from the request to its end, with the check of consent and content and its two rows in the ledger.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureBubblewrap } from '../scripts/setup/bubblewrap.mjs';
import { createTrustedBase } from '../src/host/compose.ts';
import { workerExecutor } from '../src/catalog/executors.ts';
import { EXECUTOR_MEMORY_MB } from '../src/machine/sandbox/limits.ts';
import { seccompFilter } from '../src/machine/sandbox/seccomp-filter.ts';
import { ExecutorProcess, type ExecutorProcessOptions } from '../src/execution/processes/executor-process.ts';
import { WorkerProcess } from '../src/execution/processes/workers/worker-process.ts';
import { findPython } from '../src/execution/processes/workers/find-python.ts';
import type { WorkerRuntime } from '../src/protocol/execution/worker.ts';
import type { Place } from './executions.ts';
import { testHost } from '../test/support/host-ports.ts';
import { type Figure, median, ms, paired, ratio } from './measure.ts';

const root = join(import.meta.dirname, '..');
const ROUNDS = 7;
const CALLS = 1_000;
const WARM = 200;
const WHOLE_CALLS = 50;
const never = new AbortController().signal;

const ECHO = {
	'node-worker': `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => process.stdout.write(JSON.stringify(JSON.parse(line)) + '\\n'))`,
	'python-worker': `import sys, json\nfor line in sys.stdin:\n    sys.stdout.write(json.dumps(json.loads(line)) + "\\n"); sys.stdout.flush()`,
} as const;
const SKILL = {
	'node-worker': 'export async function echo(kwargs) { return kwargs; }\n',
	'python-worker': 'async def echo(**kwargs):\n    return kwargs\n',
} as const;

type Ask = () => Promise<void>;
interface Asked {
	readonly ask: Ask;
	close(): Promise<void>;
}

/** Figures of the kinds of worker that run here. */
export async function workerFigures(place: Place): Promise<Figure[]> {
	const figures: Figure[] = [];
	const bubblewrap = await ensureBubblewrap();
	const bwrap = bubblewrap === undefined ? undefined : { file: bubblewrap, filter: seccompFilter(process.arch) };
	for (const runtime of ['node-worker', 'python-worker'] as const) {
		// Python has no walls of its own.
		if (runtime === 'python-worker' && bwrap === undefined) continue;
		const python =
			runtime === 'python-worker'
				? await findPython(process.env, []).catch(() => undefined)
				: { file: process.execPath };
		if (python === undefined) continue;
		const bare = bareEcho(python.file, ECHO[runtime], runtime);
		const worker = await workerEcho({ ...place, bwrap }, runtime, python.file);
		for (const atOnce of [1, 16]) {
			const took = await paired(ROUNDS, {
				bare: () => seconds(bare.ask, atOnce),
				worker: () => seconds(worker.ask, atOnce),
			});
			const { value = Number.NaN } = took['worker'] ?? {};
			const each = `${Math.round((value / CALLS) * 1_000_000)} us, ${Math.round(CALLS / value)} a second`;
			figures.push({
				goal: 'worker',
				what: `call of a ${runtime}, ${atOnce} in flight, to bare lines said back by the same program`,
				measured: `${ratio(took['worker'])} (${each})`,
				bar: 'none',
				met: undefined,
			});
		}
		await Promise.all([bare.close(), worker.close()]);
		figures.push(await wholeCall(place, runtime, bubblewrap));
	}
	return figures;
}

async function seconds(ask: Ask, atOnce: number): Promise<number> {
	for (let at = 0; at < WARM; at += 1) await ask();
	let left = CALLS;
	const started = performance.now();
	await Promise.all(
		Array.from({ length: atOnce }, async () => {
			while (left > 0) {
				left -= 1;
				await ask();
			}
		}),
	);
	return (performance.now() - started) / 1_000;
}

/** Measures a call through the whole trusted base, with a home and a ledger of its own. */
async function wholeCall(place: Place, runtime: WorkerRuntime, bubblewrap = ''): Promise<Figure> {
	const home = join(place.home, `whole-${runtime}`);
	const host = testHost({
		home: join(home, 'home'),
		workspace: join(home, 'workspace'),
		approvalMode: 'auto',
		settings: { 'prowess.tools.bubblewrapPath': bubblewrap },
	});
	mkdirSync(host.home, { recursive: true, mode: 0o700 });
	const folder = '.prowess/capabilities/skill/echo';
	host.write(`${folder}/capability.yaml`, `name: echo\ntype: skill\nversion: 1.0.0\nruntime: ${runtime}\n`);
	host.write(`${folder}/${runtime === 'node-worker' ? 'index.js' : 'skill.py'}`, SKILL[runtime]);
	const places = { ...host.ports.places, dist: join(root, 'dist') };
	const { capabilities, close } = await createTrustedBase({ ...host.ports, places });
	const caller = { kind: 'user', threadId: null } as const;
	const call = async () => {
		const started = performance.now();
		const wish = { capability: { name: 'echo' }, caller, params: kwargs, tool: 'echo' };
		const { executionId } = await capabilities.start(wish, never);
		const { success, error } = await capabilities.wait(executionId);
		if (!success) throw new Error(error?.message);
		return performance.now() - started;
	};
	try {
		const first = await call();
		const took: number[] = [];
		for (let at = 0; at < WHOLE_CALLS; at += 1) took.push(await call());
		return {
			goal: 'worker',
			what: `whole call of a ${runtime}, from the wish to its end, with consent, content and ledger`,
			measured: `${ms(median(took))}, the first ${ms(first)}`,
			bar: 'none',
			met: undefined,
		};
	} finally {
		await close();
	}
}

const kwargs = { path: 'src/a.ts', limit: 10 };

function bareEcho(file: string, program: string, runtime: WorkerRuntime): Asked {
	const child = spawn(file, runtime === 'node-worker' ? ['-e', program] : ['-I', '-c', program], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const waiting: (() => void)[] = [];
	createInterface({ input: child.stdout }).on('line', (line) => {
		JSON.parse(line);
		waiting.shift()?.();
	});
	return {
		ask: () =>
			new Promise((resolve) => {
				waiting.push(resolve);
				child.stdin.write(`${JSON.stringify({ id: randomUUID(), kwargs })}\n`);
			}),
		async close() {
			const closed = new Promise((resolve) => child.once('close', resolve));
			child.kill();
			await closed;
		},
	};
}

async function workerEcho(
	{ home, guard, bwrap }: Place & Pick<ExecutorProcessOptions, 'bwrap'>,
	runtime: WorkerRuntime,
	file: string,
): Promise<Asked> {
	const folder = join(home, runtime, 'capability');
	mkdirSync(folder, { recursive: true });
	const module = join(folder, runtime === 'node-worker' ? 'index.mjs' : 'skill.py');
	writeFileSync(module, SKILL[runtime]);
	const { program, readable } = workerExecutor(runtime, join(root, 'dist'));
	const options: ExecutorProcessOptions = {
		program,
		readable,
		variables: undefined,
		scratchRoot: join(home, 'scratch'),
		snapshot: join(home, runtime),
		bwrap,
		channel: 'lines',
		guard,
		...(runtime === 'python-worker'
			? { interpreter: { file, args: ['-I', '-B'], own: [String(EXECUTOR_MEMORY_MB)] } }
			: {}),
	};
	const worker = new WorkerProcess(await ExecutorProcess.start(options), { onIdle: () => {}, onEnd: () => {} });
	const env = { timezone: 'UTC', locale: 'en', skill: 'bench' };
	const call = { module, function: 'echo', kwargs, working_dir: folder, capabilities: [], env };
	return {
		ask: () =>
			new Promise((resolve, reject) => {
				worker.call(randomUUID(), call, {
					onDispatch: () => undefined,
					onResult: () => resolve(),
					onGone: reject,
					note: (_, text) => console.error(text),
				});
			}),
		close: () => worker.stop(),
	};
}
