/** Benchmark of the start of a worktree in a repository of 100,000 files, beside `git worktree add` in the same rounds. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { worktreesAt } from '../test/support/worktrees-at.ts';
import { type Figure, paired, ratio } from './measure.ts';

const FOLDERS = 1_000;
const FILES_IN_FOLDER = 100;
const ROUNDS = 5;
const BAR = 1.2;
const never = new AbortController().signal;

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
		const worktrees = worktreesAt({ home: join(root, 'home'), project, environment }, {});
		const { add, ours } = await paired(ROUNDS, {
			add: async () => {
				const started = performance.now();
				git('worktree', 'add', '--quiet', '-b', 'bare', join(root, 'bare'));
				const took = performance.now() - started;
				git('worktree', 'remove', '--force', join(root, 'bare'));
				git('branch', '-D', 'bare');
				return took;
			},
			ours: async () => {
				const started = performance.now();
				(await worktrees.open({ name: 'ours', from: undefined }, never)).dispose();
				const took = performance.now() - started;
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
		];
	} finally {
		rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
}
