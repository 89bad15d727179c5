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

	describe('for submodules and nested repositories', () => {
		const gitIn = (folder: string, ...args: string[]) =>
			execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always', ...args], {
				cwd: join(disk.root, folder),
				encoding: 'utf8',
				stdio: 'pipe',
			});
		const makeRepository = (folder: string, files: Record<string, string>) => {
			mkdirSync(join(disk.root, folder), { recursive: true });
			for (const [name, content] of Object.entries(files)) writeFileSync(join(disk.root, folder, name), content);
			gitIn(folder, 'init', '-q', '-b', 'main');
			gitIn(folder, 'add', '.');
			gitIn(folder, 'commit', '-q', '-m', `first of ${folder}`);
		};
		/** The workspace with a submodule `lib`, which has a submodule `deep`. */
		const withSubmodules = async () => {
			await commit({ 'a.txt': 'a\n' });
			const [lib, deep] = [tempDir('lib'), tempDir('deep')];
			for (const [folder, file] of [
				[deep, 'deep.txt'],
				[lib, 'lib.txt'],
			] as const) {
				writeFileSync(join(folder, file), 'one\n');
				const run = (...args: string[]) =>
					execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder, stdio: 'pipe' });
				run('init', '-q', '-b', 'main');
				if (folder === lib) run('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', deep, 'deep');
				run('add', '.');
				run('commit', '-qm', 'first');
			}
			gitIn('.', 'submodule', 'add', '-q', lib, 'lib');
			gitIn('.', 'submodule', 'update', '-q', '--init', '--recursive');
			gitIn('.', 'commit', '-qam', 'lib');
		};
		const paths = async () =>
			(await status()).files.map(({ path, index, worktree }) => `${index}${worktree} ${path}`).sort();

		it('shows what has changed in submodules, however deep', async () => {
			await withSubmodules();
			assert.deepEqual(await paths(), []);
			writeFileSync(join(disk.root, 'lib/lib.txt'), 'two\n');
			writeFileSync(join(disk.root, 'lib/deep/deep.txt'), 'two\n');
			writeFileSync(join(disk.root, 'lib/deep/.env'), 'KEY=canary\n');
			writeFileSync(join(disk.root, 'lib/deep/new.txt'), '');
			assert.deepEqual(await paths(), [
				' M lib/deep/deep.txt',
				' M lib/lib.txt',
				'?? lib/deep/.env',
				'?? lib/deep/new.txt',
			]);
			gitIn('lib/deep', 'add', '.env');
			assert.match((await diff()).patch, /a\/lib\/lib\.txt[^]*a\/lib\/deep\/deep\.txt[^]*-one\n\+two/);
			assert.match((await diff('lib/deep/deep.txt')).patch, /^diff --git a\/lib\/deep\/deep\.txt[^]*\+two\n$/);
			assert.match((await diff('lib')).patch, /a\/lib\/lib\.txt[^]*a\/lib\/deep\/deep\.txt/);
			const staged = (await diff(undefined, true)).patch;
			assert.equal(staged, '# lib/deep/.env: differs; not shown, it may hold secrets\n');
			assert.match((await diff('lib/deep/.env', true)).patch, /KEY=canary/);
		});

		it('shows that a submodule stands at another commit', async () => {
			await withSubmodules();
			writeFileSync(join(disk.root, 'lib/lib.txt'), 'two\n');
			gitIn('lib', 'commit', '-qam', 'second');
			assert.deepEqual(await paths(), [' M lib']);
			assert.match((await diff()).patch, /-Subproject commit \w+\n\+Subproject commit/);
			const hash = gitIn('lib', 'rev-parse', 'HEAD').trim();
			const { patch } = (await disk.perform('git.diff', { staged: false, commit: hash })) as { patch: string };
			assert.match(patch, /second[^]*b\/lib\/lib\.txt[^]*\+two/);
		});

		it('gives no part of them where a repository is asked for alone', async () => {
			await withSubmodules();
			writeFileSync(join(disk.root, 'lib/lib.txt'), 'two\n');
			writeFileSync(join(disk.root, 'a.txt'), 'b\n');
			const alone = (await disk.perform('git.diff', { staged: false, isAlone: true })) as { patch: string };
			assert.ok(alone.patch.includes('a.txt') && !alone.patch.includes('lib'));
		});

		it('shows what has changed in repositories that nobody has added, also where they are ignored and named', async () => {
			await commit({ 'a.txt': 'a\n', '.gitignore': 'ignored/\n' });
			makeRepository('vendor/tool', { 'tool.txt': 'one\n' });
			makeRepository('ignored', { 'i.txt': 'one\n' });
			for (const path of ['vendor/tool/tool.txt', 'ignored/i.txt']) writeFileSync(join(disk.root, path), 'two\n');
			assert.deepEqual(await paths(), [' M vendor/tool/tool.txt', '?? vendor/tool/']);
			assert.match((await diff()).patch, /^diff --git a\/vendor\/tool\/tool\.txt/);
			assert.match((await diff('ignored')).patch, /^diff --git a\/ignored\/i\.txt/);
			assert.match((await diff('vendor/tool/tool.txt')).patch, /\+two/);
		});

		it('asks the repositories of a folder that is in none', async () => {
			disk = await workspaceOnDisk({});
			for (const name of ['one', 'two']) makeRepository(name, { 'f.txt': 'one\n' });
			writeFileSync(join(disk.root, 'two/f.txt'), 'two\n');
			gitIn('one', 'switch', '-qc', 'other');
			const result = (await status()) as { branch: string; files: { path: string }[] };
			assert.deepEqual([result.branch, result.files.map(({ path }) => path)], ['other, main', ['two/f.txt']]);
			assert.match((await diff()).patch, /^diff --git a\/two\/f\.txt/);
			assert.match((await diff('two/f.txt')).patch, /\+two/);
			assert.equal((await diff('one')).patch, '');
		});

		it('fires nothing that they configure, and reads no repository that lies elsewhere', async () => {
			await withSubmodules();
			const fired = tempDir('fired');
			const script = join(disk.root, '.git/fire.sh');
			writeFileSync(script, `#!/bin/sh\ntouch ${join(fired, 'fired')}\ncat\n`, { mode: 0o755 });
			for (const name of ['core.fsmonitor', 'filter.evil.clean', 'diff.evil.textconv', 'diff.external', 'core.pager']) {
				gitIn('lib', 'config', name, script);
			}
			writeFileSync(join(disk.root, 'lib/.gitattributes'), 'lib.txt filter=evil diff=evil\n');
			writeFileSync(join(disk.root, 'lib/lib.txt'), 'two\n');
			assert.deepEqual(await paths(), [' M lib/lib.txt', '?? lib/.gitattributes']);
			assert.match((await diff()).patch, /\+two/);
			assert.deepEqual(readdirSync(fired), []);
			const other = tempDir('other');
			execFileSync('git', ['init', '-q', '--separate-git-dir', join(other, 'data'), join(other, 'tree')]);
			mkdirSync(join(disk.root, 'planted'));
			writeFileSync(join(disk.root, 'planted/.git'), `gitdir: ${join(other, 'data')}\n`);
			writeFileSync(join(disk.root, 'planted/p.txt'), '');
			assert.deepEqual(
				(await paths()).filter((path) => path.includes('planted/p')),
				[],
			);
			assert.equal((await diff('planted/p.txt')).patch, '');
		});
	});

	it('shows no secret of a folder that is named', async () => {
		await commit({ 'conf/.env': 'KEY=old\n', 'conf/a.txt': 'a\n' });
		writeFileSync(join(disk.root, 'conf/.env'), 'KEY=new\n');
		writeFileSync(join(disk.root, 'conf/a.txt'), 'b\n');
		const { patch } = await diff('conf');
		assert.ok(!patch.includes('KEY') && patch.includes('+b') && patch.includes('# conf/.env: differs; not shown'));
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
