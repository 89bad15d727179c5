import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type WorkspaceOnDisk, never, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { HardenedGit } from './hardened-git.ts';
import { parsePorcelainStatus } from './porcelain-status.ts';

describe('git ops', () => {
	let disk: WorkspaceOnDisk;

	afterEach(() => disk.close());

	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
			cwd: disk.root,
			encoding: 'utf8',
			stdio: 'pipe',
		});
	const commit = async (files: Record<string, string>) => {
		disk = await workspaceOnDisk(files);
		git('init', '-q', '-b', 'main');
		git('add', '.');
		git('commit', '-q', '-m', 'first');
	};
	const status = () => disk.perform('git.status', {});
	const diff = (path?: string, staged = false) =>
		disk.perform('git.diff', { staged, ...(path === undefined ? {} : { path }) });

	it('says that there is no repository, and that there is no git', async () => {
		disk = await workspaceOnDisk();
		await assert.rejects(status(), { code: 'NO_REPOSITORY' });
		await assert.rejects(new HardenedGit({ PATH: '/nowhere' }).status(disk.root, never), { code: 'COMMAND_NOT_FOUND' });
	});

	it('starts no git where there is no repository, and tells where one is broken', async () => {
		disk = await workspaceOnDisk();
		const folder = tempDir('programs');
		writeFileSync(
			join(folder, 'git'),
			`#!/bin/sh\ntouch ${join(folder, 'started')}\necho "fatal: broken" >&2\nexit 128\n`,
			{
				mode: 0o755,
			},
		);
		const lookedFor = new HardenedGit({ PATH: `${folder}:/usr/bin:/bin` });
		const isStarted = () => existsSync(join(folder, 'started'));
		const below = join(disk.root, 'a/b');
		mkdirSync(below, { recursive: true });
		await assert.rejects(lookedFor.status(below, never), { code: 'NO_REPOSITORY', message: /not a git repository/ });
		assert.equal(isStarted(), false);
		writeFileSync(join(disk.root, '.git'), 'gitdir: /nowhere\n');
		await assert.rejects(lookedFor.status(below, never), { code: 'NO_REPOSITORY', message: /broken/ });
		assert.equal(isStarted(), true);
	});

	it('shows a commit with its message, and none that is not there', async () => {
		await commit({ 'a.txt': 'one\n', '.env': 'KEY=1\n' });
		writeFileSync(join(disk.root, 'a.txt'), 'two\n');
		writeFileSync(join(disk.root, '.env'), 'KEY=canary\n');
		git('commit', '-qam', 'second one\n\nBecause.');
		writeFileSync(join(disk.root, 'a.txt'), 'three\n');
		const [second = '', first = ''] = git('log', '--format=%H').trim().split('\n');
		const show = async (hash: string) =>
			((await disk.perform('git.diff', { staged: false, commit: hash })) as { patch: string }).patch;
		const patch = await show(second.slice(0, 8));
		assert.match(patch, /second one\n\s+Because\.[^]*-one\n\+two/);
		assert.doesNotMatch(patch, /canary|three/);
		assert.match(patch, /# \.env: differs; not shown/);
		assert.match(await show(first), /first[^]*\+one/);
		await assert.rejects(show('abcdef0123'), { code: 'NOT_FOUND' });
	});

	it('fires nothing that a hostile repository configures', async function () {
		this.timeout(30_000);
		await commit({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
		const fired = tempDir('fired');
		const canary = (name: string) => {
			const path = join(disk.root, '.git', `${name}.sh`);
			writeFileSync(path, `#!/bin/sh\ntouch ${join(fired, name)}\ncat\n`);
			chmodSync(path, 0o755);
			return path;
		};
		mkdirSync(join(disk.root, '.git/hooks'), { recursive: true });
		for (const hook of ['post-index-change', 'pre-commit', 'fsmonitor-watchman', 'reference-transaction']) {
			const path = join(disk.root, '.git/hooks', hook);
			writeFileSync(path, `#!/bin/sh\ntouch ${join(fired, `hook-${hook}`)}\n`);
			chmodSync(path, 0o755);
		}
		const settings: readonly (readonly [string, string])[] = [
			['core.fsmonitor', canary('fsmonitor')],
			['core.hooksPath', join(disk.root, '.git/hooks')],
			['core.pager', canary('pager')],
			['pager.diff', canary('pager-diff')],
			['pager.status', canary('pager-status')],
			['core.editor', canary('editor')],
			['core.sshCommand', canary('ssh')],
			['diff.external', canary('external')],
			['diff.evil.command', canary('driver')],
			['diff.evil.textconv', canary('textconv')],
			['filter.evil.clean', canary('clean')],
			['filter.evil.smudge', canary('smudge')],
			['filter.evil.process', canary('process')],
			['filter.evil.required', 'true'],
			['filter.a.b.clean', canary('dotted')],
			['credential.helper', canary('credential')],
			['gpg.program', canary('gpg')],
			['log.showSignature', 'true'],
			['alias.status', `!${canary('alias')}`],
		];
		for (const [name, value] of settings) {
			git('config', name, value);
		}
		writeFileSync(join(disk.root, '.gitattributes'), 'a.txt filter=evil diff=evil\nb.txt filter=a.b diff=evil\n');
		writeFileSync(join(disk.root, 'a.txt'), 'two\n');
		writeFileSync(join(disk.root, 'b.txt'), 'c\n');
		assert.deepEqual((await status()).files.map((f) => f.path).sort(), ['.gitattributes', 'a.txt', 'b.txt']);
		assert.match((await diff()).patch, /-one\n\+two/);
		await diff('a.txt');
		await diff(undefined, true);
		await disk.perform('git.diff', { staged: false, commit: git('rev-parse', 'HEAD').trim() });
		assert.deepEqual(readdirSync(fired), []);
		// The canaries are alive: git as it is sets them off.
		spawnSync('git', ['status'], { cwd: disk.root, stdio: 'ignore' });
		assert.ok(
			existsSync(join(fired, 'fsmonitor')) || existsSync(join(fired, 'clean')) || existsSync(join(fired, 'process')),
		);
	});

	it('refuses a repository whose working tree is elsewhere, or whose filter cannot be turned off', async () => {
		await commit({ 'a.txt': 'a' });
		git('config', 'core.worktree', disk.outside);
		await assert.rejects(status(), { code: 'NO_REPOSITORY' });
		git('config', '--unset', 'core.worktree');
		git('config', 'filter.a=b.clean', 'touch /tmp/never');
		await assert.rejects(diff(), { code: 'IO_ERROR', message: /cannot be turned off/ });
	});

	it('gives branch and files, whatever their names', async () => {
		await commit({ 'a b.txt': '1', '-n': '1', 'emoji 🎉': '1', gone: '1' });
		writeFileSync(join(disk.root, 'a b.txt'), '2');
		writeFileSync(join(disk.root, '-n'), '2');
		writeFileSync(join(disk.root, 'new\nline "q"'), '');
		git('add', '--', '-n');
		await rm(join(disk.root, 'gone'));
		assert.deepEqual(await status(), {
			branch: 'main',
			files: [
				{ path: '-n', index: 'M', worktree: ' ' },
				{ path: 'a b.txt', index: ' ', worktree: 'M' },
				{ path: 'gone', index: ' ', worktree: 'D' },
				{ path: 'new\nline "q"', index: '?', worktree: '?' },
			],
			truncated: false,
		});
		assert.match((await diff('-n', true)).patch, /\+2/);
		assert.match((await diff('gone')).patch, /deleted file/);
	});

	it('shows no content of files that hold secrets unless one is named', async () => {
		await commit({ '.env': 'KEY=old\n', 'a.txt': 'a\n' });
		writeFileSync(join(disk.root, '.env'), 'KEY=new\n');
		writeFileSync(join(disk.root, 'a.txt'), 'b\n');
		const { patch } = await diff();
		assert.ok(!patch.includes('KEY') && patch.includes('+b') && patch.includes('# .env: differs; not shown'));
		assert.match((await diff('.env')).patch, /KEY=new/);
		const prepared = await disk.ops['git.diff'].prepare({ path: '.env', staged: false }, disk.context());
		assert.ok(prepared.targets[0]?.kind === 'file' && prepared.targets[0].isSecret);
	});

	it('answers for the part of the repository that is the workspace', async () => {
		await commit({ 'a.txt': 'a' });
		git('config', 'core.fsmonitor', 'false');
		const below = join(disk.root, 'sub');
		mkdirSync(below);
		writeFileSync(join(below, 'x.txt'), '');
		writeFileSync(join(disk.root, 'a.txt'), 'b');
		const result = await disk.deps.git.status(below, never);
		assert.deepEqual(
			result.files.map((f) => f.path),
			['x.txt'],
		);
		assert.equal(
			(await disk.deps.git.diff(below, { staged: false, segments: undefined, prefix: '' }, never)).patch,
			'',
		);
	});

	it('cuts a long diff', async () => {
		await commit({ 'a.txt': 'a\n' });
		writeFileSync(join(disk.root, 'a.txt'), 'line\n'.repeat(200_000));
		const result = await diff();
		assert.ok(result.truncated && result.patch.length <= 400_000);
	});

	it('reads renamed and unmerged records, and none that was cut off', async () => {
		disk = await workspaceOnDisk();
		const output =
			'# branch.head (detached)\x002 R. N... 1 2 3 h h R100 new name\0old\0u UU N... 1 2 3 4 h h h c d\x001 .M N... 1 2 3 h h cu';
		assert.deepEqual(parsePorcelainStatus(output), {
			branch: null,
			entries: [
				{ path: 'new name', index: 'R', worktree: ' ' },
				{ path: 'c d', index: 'U', worktree: 'U' },
			],
		});
	});
});
