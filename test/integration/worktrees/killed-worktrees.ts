/** Hosts that are killed at a step of making a worktree, of bringing its work home, or of discarding it. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runningProcesses } from '../../support/processes.ts';
import { specProgram } from '../../support/programs.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { worktreesAt } from '../../support/worktrees-at.ts';

export type Act = 'open' | 'apply' | 'merge' | 'rebase' | 'keepBranch' | 'discard';

const signal = new AbortController().signal;
const support = JSON.stringify(
	pathToFileURL(specProgram(join(import.meta.dirname, '../../support/worktrees-at.ts'))).href,
);

/** Does the act on the worktree `w`, and kills itself at the step of that number: a start of Git, or a change of the disk. */
const program = `
import { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import fs from 'node:fs/promises';
const [home, project, act, step] = process.argv.slice(1);
let left = Number(step);
let counts = false;
const count = () => { if (counts && --left === 0) process.kill(process.pid, 'SIGKILL'); };
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (...given) { const done = spawn.apply(this, given); count(); return done; };
for (const name of ['rename', 'rm', 'mkdir', 'symlink', 'unlink', 'rmdir', 'cp', 'writeFile', 'link']) {
	const real = fs[name];
	fs[name] = async (...given) => { count(); const done = await real(...given); count(); return done; };
}
syncBuiltinESMExports();
const { worktreesAt } = await import(${support});
const environment = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
const all = worktreesAt({ home, project, environment }, () => ({ '.env': 'copy' }));
const { signal } = new AbortController();
counts = true;
if (act === 'open') (await all.open({ name: 'w', from: undefined }, signal)).dispose();
if (act === 'apply') await all.apply('w', undefined, undefined, signal);
if (act === 'merge') await all.merge('w', undefined, signal);
if (act === 'rebase') await all.rebase('w', undefined, signal);
if (act === 'keepBranch') await all.keepBranch('w', { branch: 'kept', message: undefined }, signal);
if (act === 'discard') await all.discard('w', signal);
`;

interface Ground {
	readonly home: string;
	readonly project: string;
	git(...args: string[]): string;
	readonly all: ReturnType<typeof worktreesAt>;
}

function makeGround(isRepository: boolean): Ground {
	const home = realpathSync(tempDir('home'));
	const project = realpathSync(tempDir('project'));
	const environment = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
	writeFileSync(
		join(home, '.gitconfig'),
		'[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n',
	);
	const git = (...args: string[]) =>
		execFileSync('git', args, { cwd: project, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
	for (const path of ['a.txt', 'b.txt', 'c/d.txt']) put(project, path, `${path}\n`);
	put(project, '.env', 'KEY=1\n');
	put(project, '.gitignore', '.env\n');
	if (isRepository) {
		git('init', '--quiet');
		git('add', '-A');
		git('commit', '--quiet', '-m', 'first');
	}
	const all = worktreesAt({ home, project, environment }, () => ({ '.env': 'copy' }));
	return { home, project, git, all };
}

function put(folder: string, path: string, content: string): void {
	mkdirSync(dirname(join(folder, path)), { recursive: true });
	writeFileSync(join(folder, path), content);
}

/** True when it was killed; false: it was done before that step. */
async function killAt({ home, project }: Ground, act: Act, step: number): Promise<boolean> {
	const child = spawn(process.execPath, ['--input-type=module', '-e', program, home, project, act, String(step)], {
		stdio: ['ignore', 'ignore', 'pipe'],
		env: { ...process.env, NODE_OPTIONS: '' },
	});
	let said = '';
	child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
	const { code, how } = await new Promise<{ code: number | null; how: NodeJS.Signals | null }>((resolve) =>
		child.once('close', (exit, by) => resolve({ code: exit, how: by })),
	);
	assert.ok(how === 'SIGKILL' || code === 0, `${act}, step ${step}: ${said}`);
	// Programs that it had started may go on for a moment.
	await waitFor('the end of its Git', () => !runningProcesses().some(({ commandLine }) => commandLine.includes(home)));
	return how === 'SIGKILL';
}

/** Kills the act at that step and shows that nothing is lost, and nothing is left that is not listed. False: there is no such step. */
export async function showKill(act: Act, step: number, isRepository = true): Promise<boolean> {
	const ground = makeGround(isRepository);
	const { project, home, all, git } = ground;
	const where = `${act}, step ${step}`;
	const changes = { 'a.txt': 'changed\n', 'new/n.txt': 'new\n', 'c/d.txt': 'other\n' };
	if (act !== 'open') {
		const opened = await all.open({ name: 'w', from: undefined }, signal);
		opened.dispose();
		for (const [path, content] of Object.entries(changes)) put(opened.folder, path, content);
	}
	const isByGit = act === 'merge' || act === 'rebase';
	if (isByGit) {
		put(project, 'other.txt', 'other\n');
		git('add', '-A');
		git('commit', '--quiet', '-m', 'other');
	}
	const wasKilled = await killAt(ground, act, step);
	const listed = (await all.list(signal)).map(({ name }) => name);
	assert.ok(listed.length <= 1, where);
	if (act === 'apply') {
		for (const [path, content] of Object.entries(changes)) {
			const now = existsSync(join(project, path)) ? readFileSync(join(project, path), 'utf8') : undefined;
			assert.ok(
				[content, path === 'new/n.txt' ? undefined : `${path}\n`].includes(now),
				`${where}: ${path} holds ${now}`,
			);
		}
		assert.deepEqual((await all.apply('w', undefined, undefined, signal)).conflicts, [], where);
		for (const [path, content] of Object.entries(changes))
			assert.equal(readFileSync(join(project, path), 'utf8'), content, where);
	}
	if (isByGit) {
		// Neither half merged nor half rebased: it is done again, and then all of both sides is there.
		assert.equal(git('status', '--porcelain'), '', where);
		const done = await all[act]('w', undefined, signal);
		assert.deepEqual(done.conflicts, [], where);
		const { view } = await all.show('w', signal);
		const both = act === 'merge' ? project : view.folder;
		for (const [path, content] of Object.entries({
			...changes,
			...(act === 'merge' ? {} : { 'other.txt': 'other\n' }),
		}))
			assert.equal(readFileSync(join(both, path), 'utf8'), content, where);
		assert.equal(readFileSync(join(project, 'other.txt'), 'utf8'), 'other\n', where);
	}
	if (act === 'keepBranch' && git('branch', '--list', 'kept') !== '' && listed.length === 0) {
		for (const [path, content] of Object.entries(changes)) assert.equal(git('show', `kept:${path}`), content, where);
	} else if (act === 'keepBranch') {
		// Not yet a branch: the worktree has all of it.
		assert.deepEqual(listed, ['w'], where);
		const { found } = await all.show('w', signal);
		assert.equal(found.changes.length, 3, where);
	}
	for (const name of listed) await all.discard(name, signal);
	if (isRepository) {
		assert.equal(git('worktree', 'list').trim().split('\n').length, 1, where);
		assert.equal(git('branch', '--list', 'prowess/*'), '', where);
	}
	const left = readdirSync(join(home, 'worktrees'), { recursive: true, encoding: 'utf8' }).filter(
		(each) => !/^[0-9a-f]{32}$/.test(each) && !/\.lock\.db(?:-journal)?$/.test(each),
	);
	assert.deepEqual(left, [], where);
	const again = await all.open({ name: 'w', from: undefined }, signal);
	again.dispose();
	assert.equal(readFileSync(join(again.folder, 'b.txt'), 'utf8'), 'b.txt\n', where);
	return wasKilled;
}
