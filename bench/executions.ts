/** Benchmark of executions: one on a standby process (G2), a hundred at once, a stop, and a process that only waits. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Executor } from '../src/catalog/executors.ts';
import { MAX_AT_ONCE } from '../src/execution/processes/limits.ts';
import { SideExecution } from '../src/execution/runs/run/side-execution.ts';
import type { SideExecutionOptions } from '../src/execution/runs/run/side-execution-options.ts';
import { Slots } from '../src/execution/runs/start/slots.ts';
import type { CapabilityFiles } from '../src/catalog/capability-files.ts';
import { makeSnapshot } from '../src/execution/processes/snapshot.ts';
import { StandbyProcess } from '../src/execution/processes/standby-process.ts';
import type { CommandGuard } from '../src/machine/shell/command-guard.ts';
import type { ThreadContext } from '../src/protocol/execution/execution.ts';
import { type Figure, median, ms, paired } from './measure.ts';

const ROUNDS = 25;
const AT_ONCE = 100;
const STOPS = 9;
const never = new AbortController().signal;

/** A capability of 2.5 KB. */
const files: CapabilityFiles = {
	hash: 'bench',
	files: [
		{ path: 'capability.yaml', bytes: Buffer.from('name: bench\ntype: skill\nversion: 1.0.0\n') },
		{
			path: 'index.mjs',
			bytes: Buffer.from(
				`import { progress } from '@prowess/sdk';\n${'// What it does is written here.\n'.repeat(72)}export function execute({ stay }, { signal }) {\n\tif (!stay) return 'done';\n\tprogress('here');\n\treturn new Promise((resolve) => (signal.onabort = resolve));\n}\n`,
			),
		},
	],
};

/** Where executors of a bench run. */
export interface Place {
	readonly home: string;
	readonly guard: CommandGuard;
	close(): Promise<void>;
}

export async function executionFigures(executor: Executor, { home, guard }: Place): Promise<Figure[]> {
	const rig = new Rig(executor, home, guard);
	return [await handOver(rig), await manyAtOnce(rig), await stopping(rig), await memory(rig)];
}

class Rig {
	readonly #guard: CommandGuard;
	readonly #executor: Executor;
	readonly #home: string;
	#count = 0;

	constructor(executor: Executor, home: string, guard: CommandGuard) {
		this.#guard = guard;
		this.#executor = executor;
		this.#home = home;
	}

	async standby(): Promise<StandbyProcess> {
		const process = await StandbyProcess.start({
			...{
				executor: this.#executor,
				scratchRoot: join(this.#home, 'scratch'),
				bwrap: undefined,
				channel: 'descriptor' as const,
				guard: this.#guard,
			},
		});
		await process.ready;
		return process;
	}

	async cold(params: unknown, onProgress: () => void = () => {}): Promise<SideExecution> {
		const { root, capability } = await makeSnapshot(this.#home, files);
		const process = {
			...{ ...this.#executor, snapshot: root, scratchRoot: join(this.#home, 'scratch') },
			...{ bwrap: undefined, channel: 'descriptor' as const, guard: this.#guard, variables: variablesOf(capability) },
		};
		return this.#execution(params, capability, process, onProgress);
	}

	async handedOver(standby: StandbyProcess, params: unknown): Promise<SideExecution> {
		const capability = await standby.place(files);
		return this.#execution(params, capability, { standby, variables: variablesOf(capability) }, () => {});
	}

	#execution(
		params: unknown,
		path: string,
		process: SideExecutionOptions['process'],
		onProgress: () => void,
	): SideExecution {
		this.#count += 1;
		const executionId = `cap_bench_${this.#count}`;
		const context: ThreadContext = {
			...{ threadId: null, messages: [], projectPath: null, agentId: null, agentInstanceId: null, metadata: {} },
			capability: { name: 'bench', type: 'skill', path, config: {}, executionId },
		};
		return new SideExecution({
			...{ executionId, params, context, process, onProgress, timeoutMs: 0 },
			perform: () => Promise.reject(new Error('it asks for nothing')),
			note: (_, text) => console.error(text),
		});
	}
}

function variablesOf(capabilityPath: string) {
	return { sideExecutionId: 'side', threadId: null, parentAgentId: null, parentAgentInstanceId: null, capabilityPath };
}

async function completed(execution: SideExecution): Promise<void> {
	const end = await execution.ended;
	if (end.status !== 'completed') {
		throw end.error;
	}
}

/** From the wish to the result; the end of the process is not waited for, on both sides. */
async function handOver(rig: Rig): Promise<Figure> {
	const time = async (begin: () => Promise<SideExecution>) => {
		const started = performance.now();
		const execution = await begin();
		await completed(execution);
		const took = performance.now() - started;
		await execution.closed;
		return took;
	};
	const measured = await paired(ROUNDS, {
		cold: () => time(() => rig.cold({})),
		standby: async () => {
			const process = await rig.standby();
			return await time(() => rig.handedOver(process, {}));
		},
	});
	const { ratio = Number.NaN, value } = measured['standby'] ?? {};
	return {
		goal: 'G2',
		what: 'execution in a process that stood by, to one that starts',
		measured: `${ratio.toFixed(2)}x (${ms(value)} to ${ms(measured['cold']?.value)})`,
		bar: '<= 0.1x',
		met: ratio <= 0.1,
	};
}

async function manyAtOnce(rig: Rig): Promise<Figure> {
	const slots = new Slots(MAX_AT_ONCE);
	const alone = performance.now();
	await completed(await rig.cold({}));
	const one = performance.now() - alone;
	const started = performance.now();
	await Promise.all(
		Array.from({ length: AT_ONCE }, async () => {
			const release = await slots.take(never);
			const execution = await rig.cold({});
			await completed(execution);
			await execution.closed;
			release();
		}),
	);
	const took = performance.now() - started;
	return {
		goal: '',
		what: `${AT_ONCE} executions at once, ${MAX_AT_ONCE} places, to one alone`,
		measured: `${(took / one).toFixed(1)}x (${ms(took)})`,
		bar: '',
		met: undefined,
	};
}

/** From the wish to stop to nothing being left, of one that listens. */
async function stopping(rig: Rig): Promise<Figure> {
	const times: number[] = [];
	for (let at = 0; at < STOPS; at += 1) {
		const { promise: isRunning, resolve } = Promise.withResolvers<void>();
		const execution = await rig.cold({ stay: true }, resolve);
		await isRunning;
		const started = performance.now();
		await execution.stop('the bench goes on');
		await execution.closed;
		times.push(performance.now() - started);
	}
	return {
		goal: '',
		what: 'stop to nothing left',
		measured: ms(median(times)),
		bar: '<= 3 s',
		met: median(times) <= 3_000,
	};
}

async function memory(rig: Rig): Promise<Figure> {
	const standby = await rig.standby();
	const figure = (measured: string): Figure => ({
		...{ goal: '', what: 'memory of a process that stands by', measured, bar: '', met: undefined },
	});
	try {
		return figure(memoryOf(standby.process.pid));
	} finally {
		await standby.end();
	}
}

/**
 * Returns the private memory of a process, which its end would free, where the system reports it; and its resident
 * memory.
 */
function memoryOf(pid: number): string {
	const read = (name: string) => {
		try {
			return readFileSync(`/proc/${pid}/${name}`, 'utf8');
		} catch {
			return '';
		}
	};
	const privately = [...read('smaps_rollup').matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm)];
	const kilobytes = privately.reduce((sum, [, own]) => sum + Number(own), 0);
	const resident = Number(/^VmRSS:\s+(\d+)/m.exec(read('status'))?.[1] ?? Number.NaN);
	const mb = (size: number) => `${(size / 1024).toFixed(1)} MB`;
	return privately.length > 0 ? `${mb(kilobytes)} private, ${mb(resident)} resident` : `${mb(resident)} resident`;
}
