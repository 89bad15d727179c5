/** What a call of a worker costs beside bare lines that are said back, in Node and in Python. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { workerExecutor } from '../src/capability-host/catalog/executors.ts';
import { ExecutorProcess, type ExecutorProcessOptions } from '../src/capability-host/processes/executor-process.ts';
import { WorkerProcess } from '../src/capability-host/processes/workers/worker-process.ts';
import { findPython } from '../src/capability-host/processes/workers/find-python.ts';
import type { WorkerRuntime } from '../src/protocol/execution/worker.ts';
import type { Place } from './executions.ts';
import { type Figure, paired, ratio } from './measure.ts';

const root = join(import.meta.dirname, '..');
const ROUNDS = 7;
const CALLS = 1_000;
const WARM = 200;
const BWRAP = '/usr/bin/bwrap';

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
	for (const runtime of ['node-worker', 'python-worker'] as const) {
		const python =
			runtime === 'python-worker'
				? await findPython(process.env, []).catch(() => undefined)
				: { file: process.execPath };
		if (python === undefined) continue;
		const bare = bareEcho(python.file, ECHO[runtime], runtime);
		const worker = await workerEcho(place, runtime, python.file);
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

async function workerEcho({ home, guard }: Place, runtime: WorkerRuntime, file: string): Promise<Asked> {
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
		bwrap: BWRAP,
		channel: 'lines',
		guard,
		...(runtime === 'python-worker' ? { interpreter: { file, args: ['-I', '-B'] } } : {}),
	};
	const worker = new WorkerProcess(await ExecutorProcess.start(options), { onIdle: () => {}, onEnd: () => {} });
	const env = { timezone: 'UTC', locale: 'en' };
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
