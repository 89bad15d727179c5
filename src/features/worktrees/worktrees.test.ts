import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { worktreesAt } from '../../../test/support/worktrees-at.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { worktreeOrigin } from './worktree-origin.ts';
import type { ExtraWay } from './worktree.ts';
import type { OpenWorktree, Worktrees } from './worktrees.ts';

const signal = new AbortController().signal;

describe('Worktrees', function () {
	this.timeout(30_000);
	let home: string;
	let project: string;
	let all: Worktrees;
	let table: Record<string, ExtraWay>;
	let environment: Record<string, string>;
	let held: OpenWorktree[];

	beforeEach(() => {
		home = realpathSync(tempDir('home'));
		project = realpathSync(tempDir('project'));
		table = {};
		held = [];
		writeFileSync(
			join(home, '.gitconfig'),
			'[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n',
		);
		environment = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
		all = open();
	});
	afterEach(() => held.forEach((each) => each.dispose()));

	const open = (of = project) => worktreesAt({ home, project: of, environment }, () => table);
	const git = (...args: string[]) => gitIn(project, ...args);
	const gitIn = (cwd: string, ...args: string[]) =>
		execFileSync('git', args, { cwd, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
	const put = (folder: string, path: string, content: string | Buffer) => {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	};
	const write = (path: string, content: string | Buffer) => put(project, path, content);
	const read = (path: string) => readFileSync(join(project, path), 'utf8');
	const begin = () => {
		git('init', '--quiet');
		write('a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n');
		write('b/c.txt', 'c\n');
		git('add', '-A');
		git('commit', '--quiet', '-m', 'first');
	};
	/** Made and let go of: its folder. */
	const make = async (name: string, from?: string) => {
		const opened = await all.open({ name, from }, signal);
		opened.dispose();
		return opened.folder;
	};
	const refused = (code: string) => (error: unknown) => isProwessError(error) && error.code === code;

	describe('of a repository', () => {
		beforeEach(begin);

		it('begin at the commit that is checked out or named, on a branch of their own, and are held while they are worked in', async () => {
			write('a.txt', 'changed since\n');
			const first = await all.open({ name: 'first', from: undefined }, signal);
			held.push(first);
			assert.equal(gitIn(first.folder, 'branch', '--show-current').trim(), 'prowess/first');
			assert.match(readFileSync(join(first.folder, 'a.txt'), 'utf8'), /^one\n/);
			assert.equal(first.uncommitted, 1);
			await assert.rejects(all.open({ name: 'first', from: undefined }, signal), refused('INVALID_STATE'));
			await assert.rejects(all.discard('first', signal), refused('INVALID_STATE'));
			assert.deepEqual(
				(await all.list(signal)).map(({ name, state }) => [name, state]),
				[['first', 'in use']],
			);
			await assert.rejects(all.open({ name: 'x', from: 'nowhere' }, signal), refused('NOT_FOUND'));
			for (const name of ['../x', '.x', 'a b', 'x.lock', '']) {
				await assert.rejects(all.open({ name, from: undefined }, signal), refused('INVALID_PARAMS'), name);
			}
			assert.deepEqual(
				(await all.list(signal)).map(({ name }) => name),
				['first'],
			);
		});

		it('bring files of every kind home byte for byte: texts, bytes, programs, links, new and deleted ones', async () => {
			const folder = await make('w');
			put(folder, 'a.txt', 'one\r\ntwo\nno end');
			put(folder, 'new/deep/bytes.bin', Buffer.from([0, 255, 10, 13, 0]));
			put(folder, 'run.sh', '#!/bin/sh\n');
			chmodSync(join(folder, 'run.sh'), 0o755);
			symlinkSync('a.txt', join(folder, 'link'));
			rmSync(join(folder, 'b'), { recursive: true });
			put(folder, 'b', 'a file where a folder was\n');
			gitIn(folder, 'add', 'new');
			gitIn(folder, 'commit', '--quiet', '-m', 'some of it');
			const { found } = await all.show('w', signal);
			assert.deepEqual(
				found.changes.map(({ path, kind }) => `${kind} ${path}`),
				['changed a.txt', 'added b', 'deleted b/c.txt', 'added link', 'added new/deep/bytes.bin', 'added run.sh'],
			);
			assert.match(await all.diff('w', signal), /-two|\+no end/);
			const done = await all.apply('w', undefined, undefined, signal);
			assert.deepEqual([done.conflicts, done.written.length], [[], 6]);
			assert.equal(read('a.txt'), 'one\r\ntwo\nno end');
			assert.deepEqual([...readFileSync(join(project, 'new/deep/bytes.bin'))], [0, 255, 10, 13, 0]);
			assert.equal(lstatSync(join(project, 'run.sh')).mode & 0o111, 0o111);
			assert.equal(readlinkSync(join(project, 'link')), 'a.txt');
			assert.equal(read('b'), 'a file where a folder was\n');
			assert.equal((await all.apply('w', undefined, undefined, signal)).written.length, 0);
		});

		it('merge what both sides have changed, leave alone what conflicts, and go on from what was applied', async () => {
			const folder = await make('w');
			put(folder, 'a.txt', 'ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n');
			write('a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n');
			put(folder, 'b/c.txt', 'theirs\n');
			write('b/c.txt', 'ours\n');
			const done = await all.apply('w', undefined, undefined, signal);
			assert.deepEqual([done.merged, done.conflicts], [['a.txt'], ['b/c.txt']]);
			assert.equal(read('a.txt'), 'ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n');
			assert.equal(read('b/c.txt'), 'ours\n');
			// A line that was applied is changed again: no conflict with itself.
			put(folder, 'a.txt', 'ONE again\ntwo\nthree\nfour\nfive\nsix\nseven\n');
			assert.deepEqual((await all.apply('w', ['a.txt'], undefined, signal)).merged, ['a.txt']);
			assert.equal(read('a.txt'), 'ONE again\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n');
			assert.deepEqual((await all.apply('w', ['b/c.txt'], 'workspace', signal)).conflicts, []);
			assert.equal(read('b/c.txt'), 'ours\n');
			put(folder, 'b/c.txt', 'theirs, later\n');
			assert.deepEqual((await all.apply('w', ['b/c.txt'], 'worktree', signal)).written, ['b/c.txt']);
			assert.equal(read('b/c.txt'), 'theirs, later\n');
			await assert.rejects(all.apply('w', ['nothing'], undefined, signal), refused('NOT_FOUND'));
		});

		it('are applied by two at once without a loss', async () => {
			const [one, two] = [await make('one'), await make('two')];
			put(one, 'a.txt', 'ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n');
			put(two, 'a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n');
			for (let index = 0; index < 20; index++) {
				put(one, `one-${index}.txt`, 'one');
				put(two, `two-${index}.txt`, 'two');
			}
			const other = open();
			const done = await Promise.all([
				all.apply('one', undefined, undefined, signal),
				other.apply('two', undefined, undefined, signal),
			]);
			assert.deepEqual(
				done.map(({ conflicts }) => conflicts),
				[[], []],
			);
			assert.equal(read('a.txt'), 'ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n');
			assert.equal(readdirSync(project).filter((name) => /^(?:one|two)-/.test(name)).length, 40);
		});

		it('write nothing through a link of the folder, nor over unsaved or odd files', async () => {
			const folder = await make('w');
			const outside = tempDir('outside');
			put(outside, 'c.txt', 'outside\n');
			rmSync(join(project, 'b'), { recursive: true });
			symlinkSync(outside, join(project, 'b'));
			put(folder, 'b/c.txt', 'theirs\n');
			put(folder, 'b/new.txt', 'theirs\n');
			mkdirSync(join(project, 'd'));
			put(folder, 'd', 'a file\n');
			const done = await all.apply('w', undefined, undefined, signal);
			assert.deepEqual(done.conflicts, ['b/c.txt', 'b/new.txt', 'd']);
			assert.equal(readFileSync(join(outside, 'c.txt'), 'utf8'), 'outside\n');
			assert.deepEqual(readdirSync(outside), ['c.txt']);
		});

		it('are merged and rebased by Git, or left as they are where that conflicts', async () => {
			const folder = await make('w');
			put(folder, 'new.txt', 'new\n');
			assert.deepEqual(await all.merge('w', 'Add new', signal), { conflicts: [], commits: 1 });
			assert.equal(read('new.txt'), 'new\n');
			assert.match(git('log', '--format=%s'), /Add new/);
			put(folder, 'b/c.txt', 'theirs\n');
			write('b/c.txt', 'ours\n');
			git('commit', '--quiet', '-am', 'ours');
			const head = git('rev-parse', 'HEAD');
			assert.deepEqual((await all.merge('w', undefined, signal)).conflicts, ['b/c.txt']);
			assert.deepEqual((await all.rebase('w', undefined, signal)).conflicts, ['b/c.txt']);
			assert.deepEqual([git('rev-parse', 'HEAD'), git('status', '--porcelain')], [head, '']);
			assert.equal(gitIn(folder, 'status', '--porcelain'), '');
			assert.equal(readFileSync(join(folder, 'b/c.txt'), 'utf8'), 'theirs\n');
			put(folder, 'b/c.txt', 'c\n');
			gitIn(folder, 'commit', '--quiet', '-am', 'take it back');
			write('later.txt', 'later\n');
			git('add', '-A');
			git('commit', '--quiet', '-m', 'later');
			write('uncommitted.txt', 'mine\n');
			put(folder, 'more.txt', 'more\n');
			gitIn(folder, 'reset', '--quiet', '--hard', 'HEAD~2');
			put(folder, 'more.txt', 'more\n');
			assert.deepEqual((await all.rebase('w', undefined, signal)).conflicts, []);
			assert.equal(readFileSync(join(folder, 'later.txt'), 'utf8'), 'later\n');
			assert.deepEqual(
				(await all.show('w', signal)).found.changes.map(({ path }) => path),
				['more.txt'],
			);
		});

		it('refuse a merge over uncommitted changes, and lose none', async () => {
			const folder = await make('w');
			put(folder, 'b/c.txt', 'theirs\n');
			write('b/c.txt', 'uncommitted\n');
			await assert.rejects(all.merge('w', undefined, signal), refused('IO_ERROR'));
			assert.equal(read('b/c.txt'), 'uncommitted\n');
			assert.equal(git('status', '--porcelain'), ' M b/c.txt\n');
		});

		it('become a branch, or go with all that was named before', async () => {
			write('.gitignore', 'out/\n.env\n');
			git('add', '-A');
			git('commit', '--quiet', '-m', 'ignore');
			table = { '.env': 'copy' };
			write('.env', 'KEY=1\n');
			const folder = await make('w');
			put(folder, 'kept.txt', 'kept\n');
			put(folder, 'out/built.js', 'built\n');
			assert.deepEqual(await all.losses('w', signal), { changed: ['kept.txt'], commits: [], ignored: ['out/'] });
			await assert.rejects(
				all.keepBranch('w', { branch: 'main', message: undefined }, signal),
				refused('INVALID_PARAMS'),
			);
			assert.equal(await all.keepBranch('w', { branch: 'topic', message: 'Keep it' }, signal), 'topic');
			assert.equal(git('show', 'topic:kept.txt'), 'kept\n');
			const other = await make('other');
			put(other, '.env', 'KEY=2\n');
			put(other, 'lost.txt', 'lost\n');
			gitIn(other, 'add', 'lost.txt');
			gitIn(other, 'commit', '--quiet', '-m', 'only here');
			const lost = await all.losses('other', signal);
			assert.match(lost.commits.join(), /only here/);
			assert.deepEqual(lost.ignored, ['.env']);
			await all.discard('other', signal);
			assert.deepEqual(await all.list(signal), []);
			assert.equal(git('worktree', 'list').trim().split('\n').length, 1);
			assert.equal(git('branch', '--list', 'prowess/*'), '');
		});

		it('bring along what is not in Git as the table, or an answer that is asked for once, says', async () => {
			write('.gitignore', 'node_modules/\n.env*\ncache/\nout/\n');
			git('add', '-A');
			git('commit', '--quiet', '-m', 'ignore');
			for (const path of ['.env.local', 'node_modules/p/i.js', 'cache/c', 'out/o']) write(path, path);
			table = { '.env*': 'copy', node_modules: 'link' };
			const asked: string[][] = [];
			const askAbout = async (found: readonly { readonly path: string }[]) => {
				asked.push(found.map(({ path }) => path));
				return { cache: 'copy', out: 'hide' } as const;
			};
			for (const name of ['one', 'two']) {
				const opened = await all.open({ name, from: undefined, askAbout }, signal);
				held.push(opened);
				const { folder } = opened;
				assert.equal(readFileSync(join(folder, '.env.local'), 'utf8'), '.env.local');
				assert.equal(readlinkSync(join(folder, 'node_modules')), join(project, 'node_modules'));
				assert.equal(readFileSync(join(folder, 'cache/c'), 'utf8'), 'cache/c');
				assert.equal(existsSync(join(folder, 'out')), false);
				assert.deepEqual(opened.hidden, ['out']);
				assert.deepEqual(worktreeOrigin(home, folder), { name, project, linked: [join(project, 'node_modules')] });
			}
			assert.deepEqual(asked, [['cache', 'out']]);
			assert.deepEqual((await all.show('one', signal)).found.changes, []);
		});

		it('let commands read what a link was asked for, and not what another put in its place leads to', async () => {
			write('.gitignore', 'cache\n');
			write('cache/x', 'ours\n');
			git('add', '-A');
			git('commit', '--quiet', '-m', 'ignore');
			table = { cache: 'link' };
			const folder = await make('w');
			assert.deepEqual(worktreeOrigin(home, folder)?.linked, [join(project, 'cache')]);
			for (const place of [realpathSync(tempDir('keys')), project]) {
				rmSync(join(project, 'cache'), { recursive: true });
				symlinkSync(place, join(project, 'cache'));
				assert.deepEqual(worktreeOrigin(home, folder)?.linked, []);
			}
			const later = await make('later');
			assert.deepEqual(worktreeOrigin(home, later)?.linked, []);
		});

		it('are of the folder that is open, where that lies below the root', async () => {
			const below = open(join(project, 'b'));
			const opened = await below.open({ name: 'w', from: undefined }, signal);
			opened.dispose();
			put(opened.folder, 'c.txt', 'changed\n');
			put(opened.folder, '../a.txt', 'outside\n');
			const done = await below.apply('w', undefined, undefined, signal);
			assert.deepEqual([done.written, done.outside], [['c.txt'], ['a.txt']]);
			assert.equal(read('b/c.txt'), 'changed\n');
			assert.match(read('a.txt'), /^one\n/);
		});

		it('fill submodules without a network, and name those with changes', async () => {
			const library = realpathSync(tempDir('library'));
			gitIn(library, 'init', '--quiet');
			put(library, 'l.txt', 'library\n');
			gitIn(library, 'add', '-A');
			gitIn(library, 'commit', '--quiet', '-m', 'library');
			git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
			git('commit', '--quiet', '-m', 'with a submodule');
			const folder = await make('w');
			assert.equal(readFileSync(join(folder, 'lib/l.txt'), 'utf8'), 'library\n');
			assert.equal(gitIn(join(folder, 'lib'), 'remote', 'get-url', 'origin').trim(), library);
			put(folder, 'lib/l.txt', 'changed\n');
			put(folder, 'a.txt', 'changed\n');
			const done = await all.apply('w', undefined, undefined, signal);
			assert.deepEqual([done.written, done.submodules], [['a.txt'], ['lib']]);
			await all.discard('w', signal);
			assert.equal(git('status', '--porcelain'), ' M a.txt\n');
		});

		it('have the files of a sparse checkout only, and none of the others counts as deleted', async () => {
			write('far/away.txt', 'far\n');
			git('add', '-A');
			git('commit', '--quiet', '-m', 'far');
			git('sparse-checkout', 'set', 'b');
			const folder = await make('w');
			assert.equal(existsSync(join(folder, 'far')), false);
			put(folder, 'b/c.txt', 'changed\n');
			assert.deepEqual((await all.show('w', signal)).found.changes, [{ path: 'b/c.txt', kind: 'changed' }]);
			assert.deepEqual((await all.apply('w', undefined, undefined, signal)).written, ['b/c.txt']);
		});

		it('run filters that the user has configured, as for large files, and none that the repository names', async () => {
			write('.gitattributes', '*.big filter=big\n*.evil filter=evil\n');
			put(
				home,
				'.gitconfig',
				`${readFileSync(join(home, '.gitconfig'), 'utf8')}[filter "big"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n\trequired = true\n`,
			);
			write('x.big', 'large file\n');
			write('x.evil', 'evil\n');
			git('add', '-A');
			git('commit', '--quiet', '-m', 'filtered');
			const ran = join(home, 'ran');
			git('config', 'filter.evil.smudge', `touch ${ran}; cat`);
			git('config', 'filter.evil.clean', `touch ${ran}; cat`);
			git('config', 'filter.big.smudge', `touch ${ran}; cat`);
			write('.git/hooks/post-checkout', `#!/bin/sh\ntouch ${ran}\n`);
			chmodSync(join(project, '.git/hooks/post-checkout'), 0o755);
			const folder = await make('w');
			assert.equal(readFileSync(join(folder, 'x.big'), 'utf8'), 'large file\n');
			assert.deepEqual((await all.show('w', signal)).found.changes, []);
			put(folder, 'x.big', 'other file\n');
			assert.deepEqual((await all.apply('w', undefined, undefined, signal)).written, ['x.big']);
			assert.equal(read('x.big'), 'other file\n');
			await all.merge('w', undefined, signal).catch(() => {});
			assert.equal(existsSync(ran), false);
		});

		it('run no driver for merges that the repository names', async () => {
			const ran = join(home, 'ran');
			write('.gitattributes', '*.txt merge=evil\n');
			git('add', '-A');
			git('commit', '--quiet', '-m', 'attributes');
			git('config', 'merge.evil.driver', `touch ${ran}; false`);
			git('config', 'merge.default', 'evil');
			for (const name of ['w', 'v']) put(await make(name), 'a.txt', `${read('a.txt')}eight\n`);
			write('a.txt', `zero\n${read('a.txt')}`);
			git('commit', '--quiet', '-am', 'ours');
			const done = [await all.merge('w', undefined, signal), await all.rebase('v', undefined, signal)];
			assert.equal(existsSync(ran), false);
			assert.deepEqual(
				done.map(({ conflicts }) => conflicts),
				[[], []],
			);
			assert.match(read('a.txt'), /^zero\n[^]*eight\n$/);
		});

		it('show no content of files that may hold secrets', async () => {
			const folder = await make('w');
			put(folder, '.env', 'KEY=hidden\n');
			const patch = await all.diff('w', signal);
			assert.match(patch, /\.env: added; not shown/);
			assert.doesNotMatch(patch, /hidden/);
		});
	});

	describe('of a folder without Git', () => {
		it('whose record and folder were removed by hand are listed as damaged until they are discarded', async () => {
			write('a.txt', 'one\n');
			const folder = await make('w');
			await all.noteThread('w', 'thr_1', signal);
			rmSync(folder, { recursive: true });
			rmSync(`${folder}.json`);
			assert.deepEqual(
				(await all.list(signal)).map(({ name, state }) => [name, state]),
				[['w', 'damaged']],
			);
			await all.discard('w', signal);
			assert.deepEqual(await all.list(signal), []);
			assert.equal(existsSync(join(dirname(folder), '.w.threads')), false);
		});

		it('are copies, compared with the folder as it was', async () => {
			write('a.txt', 'one\n');
			write('b/c.txt', 'c\n');
			write('big/x', 'left out\n');
			symlinkSync('a.txt', join(project, 'link'));
			table = { big: 'hide' };
			const folder = await make('w');
			assert.equal(existsSync(join(folder, 'big')), false);
			put(folder, 'a.txt', 'two\n');
			rmSync(join(folder, 'b/c.txt'));
			put(folder, 'new.txt', 'new\n');
			write('new.txt', 'ours\n');
			const done = await all.apply('w', undefined, undefined, signal);
			assert.deepEqual([done.written, done.conflicts], [['a.txt', 'b/c.txt'], ['new.txt']]);
			assert.equal(read('a.txt'), 'two\n');
			assert.equal(existsSync(join(project, 'b')), false);
			assert.deepEqual((await all.losses('w', signal)).changed, ['new.txt']);
			await assert.rejects(all.merge('w', undefined, signal), refused('NO_REPOSITORY'));
			await all.discard('w', signal);
			assert.deepEqual(await all.list(signal), []);
		});
	});
});
