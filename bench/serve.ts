/** Benchmark of an idle background host: the processor time of all its threads. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Figure } from './measure.ts';

const IDLE_MS = 60_000;
/** For what a start leaves to be done. */
const SETTLE_MS = 30_000;
const BAR_PERCENT = 0.1;

export async function serveFigures(): Promise<Figure[]> {
	if (process.platform !== 'linux') {
		return [];
	}
	const root = mkdtempSync(join(tmpdir(), 'prowess-bench-serve-'));
	const env = { PATH: process.env['PATH'], HOME: root, PROWESS_HOME: join(root, 'home') };
	const program = join(import.meta.dirname, '../dist/cli.mjs');
	const schedule = ['schedule', 'add', 'every day at 4', 'Look', '--workspace', root];
	await once(spawn(process.execPath, [program, ...schedule], { env, stdio: 'ignore' }), 'exit');
	const serving = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
	try {
		await once(serving.stderr, 'data');
		await wait(SETTLE_MS);
		const before = processorTime(serving.pid ?? 0);
		const from = performance.now();
		await wait(IDLE_MS);
		const ms = processorTime(serving.pid ?? 0) - before;
		const percent = (100 * ms) / (performance.now() - from);
		return [
			{
				goal: 'serve',
				what: `processor time of \`prowess serve\` with one schedule, in ${IDLE_MS / 1_000} s with nothing to do`,
				measured: `${percent.toFixed(3)} % (${ms.toFixed(0)} ms)`,
				bar: `< ${BAR_PERCENT} %`,
				met: percent < BAR_PERCENT,
			},
		];
	} finally {
		serving.kill();
		await once(serving, 'exit');
		rmSync(root, { recursive: true, force: true });
	}
}

/** Returns the processor time of all threads of a process, in milliseconds. */
function processorTime(pid: number): number {
	const tasks = `/proc/${pid}/task`;
	return readdirSync(tasks)
		.map((task) => Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
		.reduce((sum, ms) => sum + ms, 0);
}
