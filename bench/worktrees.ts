/** Benchmark of the start of a worktree in a repository of 100,000 files, beside `git worktree add` in the same rounds. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { worktreesAt } from '../test/support/worktrees-at.ts';
import { type Figure, median, paired, ratio } from './measure.ts';

const FOLDERS = 1_000;
const FILES_IN_FOLDER = 100;
const ROUNDS = 5;
const BAR = 1.2;
/** Linux counts the time of processes in hundredths of a second. */
const MS_PER_TICK = 10;
const never = new AbortController().signal;

/** Processor time in milliseconds of this process and of those of its children that have ended; NaN where the system does not say. */
function readProcessorMs(): number {
	try {
		// After the name in brackets: the fields from the third on, of which the 14th to 17th are user and system time.
		const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
		const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
		return ticks * MS_PER_TICK;
	} catch {
		return Number.NaN;
	}
}

export async function worktreeFigures(): Promise<Figure[]> {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'prowess-bench-')));
	const project = join(root, 'project');
	const environment = { PATH: process.env['PATH'] ?? '', HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
	const git = (...args: string[]) => execFileSync('git', args, { cwd: project, env: environment, stdio: 'ignore' });
	try {
		for (let folder = 0; folder < FOLDERS; folder += 1) {
			mkdirSync(join(project, `f${folder}`), { recursive: true });
			for (let file = 0; file < FILES_IN_FOLDER; file += 1) {
				writeFileSync(join(project, `f${folder}/${file}.txt`), `${folder} ${file}\n`.repeat(20));
			}
		}
		git('init', '--quiet');
		git('add', '-A');
		git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'first');
		const worktrees = worktreesAt({ home: join(root, 'home'), project, environment }, () => ({}));
		const processor: Record<'add' | 'ours', number[]> = { add: [], ours: [] };
		const { add, ours } = await paired(ROUNDS, {
			add: async () => {
				const [started, begun] = [performance.now(), readProcessorMs()];
				git('worktree', 'add', '--quiet', '-b', 'bare', join(root, 'bare'));
				const took = performance.now() - started;
				processor.add.push(readProcessorMs() - begun);
				git('worktree', 'remove', '--force', join(root, 'bare'));
				git('branch', '-D', 'bare');
				return took;
			},
			ours: async () => {
				const [started, begun] = [performance.now(), readProcessorMs()];
				(await worktrees.open({ name: 'ours', from: undefined }, never)).dispose();
				const took = performance.now() - started;
				processor.ours.push(readProcessorMs() - begun);
				await worktrees.discard('ours', never);
				return took;
			},
		});
		const seconds = (value = Number.NaN) => `${(value / 1_000).toFixed(2)} s`;
		return [
			{
				goal: 'worktrees',
				what: `start of a worktree, ${(FOLDERS * FILES_IN_FOLDER).toLocaleString('en')} files, against git worktree add`,
				measured: `${ratio(ours)} (${seconds(add?.value)} git, ${seconds(ours?.value)} ours)`,
				bar: `<= ${BAR}x`,
				met: (ours?.ratio ?? Number.POSITIVE_INFINITY) <= BAR,
			},
			{
				goal: 'worktrees',
				what: 'the same in processor time of this process and of Git, user and system',
				measured: `${(median(processor.ours) / median(processor.add)).toFixed(2)}x (${seconds(median(processor.add))} git, ${seconds(median(processor.ours))} ours)`,
				bar: '-',
				met: undefined,
			},
		];
	} finally {
		rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
}
