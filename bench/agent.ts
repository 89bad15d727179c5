/**
 * The agent through the CLI, against the least an agent in Node can be: start, first request, overhead per tool turn,
 * streaming, a whole short turn. Goals G6, G7, G8, G9, G19.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { ensureBubblewrap } from '../scripts/setup/bubblewrap.mjs';
import { type Figure, median, ms, paired, ratio } from './measure.ts';
import { type Answer, type ModelEndpoint, startModelEndpoint } from './model-endpoint.ts';

const root = join(import.meta.dirname, '..');
const STARTS_BEFORE = 6;
/** Linux counts in 10 ms, a quarter of what the floor takes. */
const TURNS_PER_CPU_TIME = 5;
const TOOL_TURNS = 20;
const DELTAS = 60_000;
/**
 * Measured values of `--approve`: `auto` includes the preparation of the sandbox for commands before the prompt is
 * sent.
 */
const MODES = ['never', 'auto'] as const;
const MAX_FIRST_BYTES = 10_240;
const MAX_FIRST_TOKENS = 2_400;

interface Rig {
	readonly endpoint: ModelEndpoint;
	readonly floor: readonly string[];
	/** At `--approve never`. */
	readonly prowess: readonly string[];
	/** The same at `--approve auto`, as for work that nobody watches. */
	readonly auto: readonly string[];
	/** Runs one Node program to its end, and has it watched every 10 ms; the time of its spawn. */
	run(args: readonly string[], watch?: (pid: number) => void): Promise<number>;
}

export async function agentFigures(): Promise<Figure[]> {
	const endpoint = await startModelEndpoint();
	const place = mkdtempSync(join(tmpdir(), 'prowess-bench-'));
	const lines = Array.from({ length: TOOL_TURNS }, (_, i) => `Hello from line ${i + 1} of the bench.\n`);
	writeFileSync(join(place, 'hello.txt'), lines.join(''));
	const home = mkdtempSync(join(tmpdir(), 'prowess-bench-home-'));
	const provider = ['--provider', 'openai-compatible', '--base-url', endpoint.baseUrl, '--model', 'bench'];
	const bubblewrap = await ensureBubblewrap();
	writeFileSync(join(home, 'settings.json'), JSON.stringify({ 'prowess.tools.bubblewrapPath': bubblewrap ?? '' }));
	const command = [join(root, 'dist/cli.mjs'), 'run', 'Go.', '--json', '--trust', '--workspace', place, ...provider];
	const rig: Rig = {
		endpoint,
		floor: [join(import.meta.dirname, 'floor.cjs'), endpoint.baseUrl],
		prowess: [...command, '--approve', 'never'],
		auto: [...command, '--approve', 'auto'],
		run: (args, watch) => runNode(args, place, home, watch),
	};
	try {
		// Trusts the folder and keeps the compiled code, as any later start finds them.
		for (let start = 0; start < STARTS_BEFORE; start += 1) {
			endpoint.script([{ tool: 'fs_read', input: { path: 'hello.txt', offset: 1, limit: 1 } }, { text: 'ok' }]);
			await rig.run(start % 2 === 0 ? rig.auto : rig.prowess);
		}
		return [
			...(await start(rig)),
			...(await shortTurn(rig)),
			...(await firstRequest(rig)),
			...(await toolTurns(rig)),
			await streaming(rig),
		];
	} finally {
		await endpoint.close();
		rmSync(place, { recursive: true, force: true });
		rmSync(home, { recursive: true, force: true });
	}
}

async function start({ endpoint, floor, prowess, auto, run }: Rig): Promise<Figure[]> {
	const first = async (args: readonly string[]) => {
		endpoint.script([{ text: 'ok' }]);
		const started = await run(args);
		return (endpoint.requests[0]?.arrived ?? Number.NaN) - started;
	};
	const times = await paired(9, {
		floor: () => first(floor),
		never: () => first(prowess),
		auto: () => first(auto),
	});
	return MODES.map((mode) => ({
		goal: 'G9',
		what: `spawn of the CLI to the first model request, at ${mode}, against the floor`,
		measured: `${ratio(times[mode])} (${ms(times[mode]?.value)} / ${ms(times['floor']?.value)})`,
		bar: '<= 6x, aim 3x',
		met: (times[mode]?.ratio ?? Infinity) <= 6,
	}));
}

/** A whole command with one file read: what a user waits for, what it costs the machine, and how much it holds at most. */
async function shortTurn({ endpoint, floor, prowess, auto, run }: Rig): Promise<Figure[]> {
	const turn = async (args: readonly string[]) => {
		endpoint.script([{ tool: 'fs_read', input: { path: 'hello.txt', offset: 1, limit: 1 } }, { text: 'done' }]);
		const started = await run(args);
		return performance.now() - started;
	};
	const measured = async (args: readonly string[], figure: 'wall' | 'cpu') => {
		if (figure === 'wall') {
			return await turn(args);
		}
		const before = childCpuMs();
		for (let round = 0; round < TURNS_PER_CPU_TIME; round += 1) {
			await turn(args);
		}
		return (childCpuMs() - before) / TURNS_PER_CPU_TIME;
	};
	const of = (figure: 'wall' | 'cpu') =>
		paired(9, {
			floor: () => measured(floor, figure),
			never: () => measured(prowess, figure),
			auto: () => measured(auto, figure),
		});
	const wall = await of('wall');
	const cpu = await of('cpu');
	const peaks: number[] = [];
	for (let round = 0; round < 5; round += 1) {
		endpoint.script([{ tool: 'fs_read', input: { path: 'hello.txt', offset: 1, limit: 1 } }, { text: 'done' }]);
		let peak = 0;
		await run(prowess, (pid) => {
			peak = Math.max(peak, treeMegabytes(pid));
		});
		peaks.push(peak);
	}
	const rows = (what: (mode: string) => string, times: typeof wall, most: number): Figure[] =>
		MODES.map((mode) => ({
			goal: 'turn',
			what: what(mode),
			measured: `${ratio(times[mode])} (${ms(times[mode]?.value)} / ${ms(times['floor']?.value)})`,
			bar: `<= ${most}x`,
			met: (times[mode]?.ratio ?? Infinity) <= most,
		}));
	return [
		...rows((mode) => `spawn to exit of a turn with one file read, at ${mode}, against the floor`, wall, 8.1),
		...rows((mode) => `processor time of it, at ${mode}, all processes, against the floor`, cpu, 7.9),
		{
			goal: 'turn',
			what: 'most memory of it, shared pages by share, all processes',
			measured: `${median(peaks).toFixed(0)} MB`,
			bar: '<= 80 MB',
			met: median(peaks) <= 80,
		},
	];
}

async function firstRequest({ endpoint, prowess, run }: Rig): Promise<Figure[]> {
	endpoint.script([{ text: 'ok' }]);
	await run(prowess);
	const body = endpoint.requests[0]?.body ?? '';
	const bytes = Buffer.byteLength(body);
	const tokens = countTokens(body);
	const what = 'first request body, empty project';
	const bar = (most: number, unit: string) => `<= ${most} ${unit}`;
	return [
		{
			goal: 'G7',
			what,
			measured: `${bytes} bytes`,
			bar: bar(MAX_FIRST_BYTES, 'bytes'),
			met: body !== '' && bytes <= MAX_FIRST_BYTES,
		},
		{
			goal: 'G7',
			what: `${what}, as o200k counts`,
			measured: `${tokens} tokens`,
			bar: bar(MAX_FIRST_TOKENS, 'tokens'),
			met: body !== '' && tokens <= MAX_FIRST_TOKENS,
		},
	];
}

async function toolTurns({ endpoint, floor, prowess, run }: Rig): Promise<Figure[]> {
	// Another line each time: who is shown nothing new in turn after turn is stopped.
	const script: Answer[] = Array.from({ length: TOOL_TURNS }, (_, i) => ({
		tool: 'fs_read',
		input: { path: 'hello.txt', offset: i + 1, limit: 1 },
	}));
	let bodies: readonly string[] = [];
	const gap = async (args: readonly string[]) => {
		endpoint.script([...script, { text: 'done' }]);
		await run(args);
		const { requests } = endpoint;
		if (args === prowess) {
			bodies = requests.map(({ body }) => body);
		}
		return median(requests.slice(1).map(({ arrived }, i) => arrived - (requests[i]?.ended ?? Number.NaN)));
	};
	const gaps = await paired(5, { floor: () => gap(floor), prowess: () => gap(prowess) });
	const overhead = gaps['prowess']?.value ?? Infinity;
	const stable = isPrefixKept(bodies);
	return [
		{
			goal: 'G6',
			what: `end of a reply to the next request, median of ${TOOL_TURNS} tool turns with gate, ledger and commits`,
			measured: `${ms(overhead)} (floor ${ms(gaps['floor']?.value)})`,
			bar: '<= 5 ms',
			met: overhead <= 5,
		},
		{
			goal: 'G8',
			what: 'requests that repeat the one before them byte for byte',
			measured: stable ? 'all' : 'not all',
			bar: 'all',
			met: stable,
		},
	];
}

function isPrefixKept(bodies: readonly string[]): boolean {
	return (
		bodies.length > 1 &&
		bodies.slice(1).every((body, i) => {
			const before = JSON.parse(bodies[i] ?? '{}') as Record<string, unknown>;
			const after = JSON.parse(body) as Record<string, unknown>;
			const conversation = JSON.stringify(before['messages']).slice(0, -1);
			const hasSameTools = JSON.stringify(before['tools']) === JSON.stringify(after['tools']);
			return hasSameTools && JSON.stringify(after['messages']).startsWith(conversation);
		})
	);
}

async function streaming({ endpoint, floor, prowess, run }: Rig): Promise<Figure> {
	const cpu = async (args: readonly string[], deltas: number) => {
		endpoint.script([{ text: 'word ', deltas }]);
		const before = childCpuMs();
		await run(args);
		return childCpuMs() - before;
	};
	// A run with one delta is what it takes without streaming.
	const perThousand = async (args: readonly string[]) =>
		((await cpu(args, DELTAS)) - (await cpu(args, 1))) / (DELTAS / 1000);
	const times = await paired(5, { floor: () => perThousand(floor), prowess: () => perThousand(prowess) });
	return {
		goal: 'G19',
		what: 'CPU per 1,000 streamed deltas, server and CLI together, against the floor',
		measured: `${ratio(times['prowess'])} (${ms(times['prowess']?.value)} / ${ms(times['floor']?.value)})`,
		bar: '<= 3x',
		met: (times['prowess']?.ratio ?? Infinity) <= 3,
	};
}

export async function runNode(
	args: readonly string[],
	cwd: string,
	home: string,
	watch?: (pid: number) => void,
): Promise<number> {
	const env = { PROWESS_HOME: home, PROWESS_API_KEY: 'key-of-the-bench' };
	return await runProgram([process.execPath, ...args], { cwd, home, env }, watch);
}

interface ProgramPlace {
	readonly cwd: string;
	readonly home: string;
	/** Beside PATH and HOME. */
	readonly env: Readonly<Record<string, string>>;
}

/** Runs a program to its end; the time of its spawn. Rejects where it fails. */
export async function runProgram(
	[program = '', ...args]: readonly string[],
	{ cwd, home, env: more }: ProgramPlace,
	watch?: (pid: number) => void,
): Promise<number> {
	const env = { PATH: process.env['PATH'], HOME: home, ...more };
	const started = performance.now();
	const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
	let complaint = '';
	child.stderr.on('data', (chunk: Buffer) => {
		complaint += chunk.toString();
	});
	const watching = setInterval(() => watch?.(child.pid ?? 0), 10);
	const [code] = (await once(child, 'close')) as [number | null];
	clearInterval(watching);
	if (code !== 0) {
		throw new Error(`${[program, ...args].slice(0, 3).join(' ')} ended with ${code}: ${complaint.slice(-2000)}`);
	}
	return started;
}

/** User and system time of all children that have ended, theirs included. */
export function childCpuMs(): number {
	const stat = readFileSync('/proc/self/stat', 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[13]) + Number(fields[14])) * 10;
}

/**
 * Returns the memory of a process and all its descendants, in MB; shared memory counts proportionally (Pss). 0 when the
 * process has ended.
 */
export function treeMegabytes(pid: number): number {
	try {
		const own = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? '0';
		const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
		return Number(own) / 1024 + children.reduce((sum, child) => sum + treeMegabytes(Number(child)), 0);
	} catch {
		return 0;
	}
}
