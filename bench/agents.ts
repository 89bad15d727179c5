/** Benchmark of many sub-agents that work at once: the memory of each, and the time until one Ctrl+C has ended all of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orAborted, withTimeLimit } from '../src/base/time/bounded-wait.ts';
import {
	type RecordedRequest,
	type ScriptEntry,
	stalledAnswer,
	startModelServer,
} from '../test/support/model-server.ts';
import { processTree, waitUntilGone } from '../test/support/processes.ts';
import type { Figure } from './measure.ts';

const COUNTS = [1, 20, 100] as const;
const STOP_BAR_MS = 3_000;
/** Until all are at work; a run that starts fewer never comes so far. */
const BEGIN_LIMIT_MS = 120_000;
/** Calls of one answer of the model. */
const CALLS_AT_ONCE = 10;

export async function agentTreeFigures(): Promise<Figure[]> {
	const taken: (AtWork & { readonly count: number })[] = [];
	for (const count of COUNTS) taken.push({ count, ...(await measureAgents(count)) });
	const [one, ...more] = taken;
	if (one === undefined) throw new Error('nothing was measured');
	return more.map(({ count, megabytes, stopMs }) => ({
		goal: '',
		what: `${count} sub-agents at work: memory of each, beside that of the first, and from Ctrl+C until all processes are gone`,
		measured: `${((megabytes - one.megabytes) / (count - one.count)).toFixed(1)} MB each; ${(stopMs / 1_000).toFixed(2)} s`,
		bar: `<= ${STOP_BAR_MS / 1_000} s`,
		met: stopMs <= STOP_BAR_MS,
	}));
}

interface AtWork {
	/** Resident memory of the command line and its server while all wait for the model. */
	readonly megabytes: number;
	readonly stopMs: number;
}

async function measureAgents(count: number): Promise<AtWork> {
	const root = mkdtempSync(join(tmpdir(), 'prowess-bench-agents-'));
	const [home, workspace] = [join(root, 'home'), join(root, 'work')];
	mkdirSync(home, { mode: 0o700 });
	mkdirSync(workspace);
	const limits = { subAgents: count, subAgentSeconds: 600 };
	writeFileSync(join(home, 'settings.json'), JSON.stringify({ 'prowess.agent.limits': limits }));
	let started = 0;
	let working = 0;
	const allWork = Promise.withResolvers<void>();
	const script = (_n: number, { text }: RecordedRequest): ScriptEntry => {
		const isAgent = text.includes('You are a sub-agent');
		if (!isAgent && started < count) {
			const calls = Math.min(CALLS_AT_ONCE, count - started);
			const toolCalls = Array.from({ length: calls }, (_, at) => ({
				name: 'agent_spawn',
				input: { task: `Part ${started + at}`, wait: false },
			}));
			started += calls;
			return { toolCalls };
		}
		working += 1;
		// The agents, and the one that has started them.
		if (working === count + 1) allWork.resolve();
		return stalledAnswer;
	};
	const model = await startModelServer(script);
	let child: ChildProcess | undefined;
	try {
		const program = join(import.meta.dirname, '../dist/cli.mjs');
		const endpoint = ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'scripted'];
		child = spawn(process.execPath, [program, 'run', 'Do it', '--trust', '--approve', 'full', ...endpoint], {
			cwd: workspace,
			env: { PATH: process.env['PATH'], HOME: root, PROWESS_HOME: home },
			stdio: 'ignore',
		});
		const ended = once(child, 'exit');
		const early = ended.then(() => Promise.reject(new Error(`the run ended with ${working} of ${count} at work`)));
		early.catch(() => undefined);
		const limit = { what: `the first requests of ${count} sub-agents`, timeoutMs: BEGIN_LIMIT_MS };
		await withTimeLimit(limit, (signal) => orAborted(Promise.race([allWork.promise, early]), signal));
		const tree = [child.pid ?? 0, ...processTree(child.pid ?? 0).map(({ pid }) => pid)];
		const megabytes = [...new Set(tree)].reduce((sum, pid) => sum + residentMegabytes(pid), 0);
		const begunAt = performance.now();
		child.kill('SIGINT');
		await waitUntilGone(tree);
		return { megabytes, stopMs: performance.now() - begunAt };
	} finally {
		child?.kill('SIGKILL');
		await model.close();
		rmSync(root, { recursive: true, force: true });
	}
}

function residentMegabytes(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}
