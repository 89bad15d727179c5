/** Tests what Git reads beyond its own folder: neither a command in the sandbox nor the agent's ops change it unasked. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspacePaths } from '../../../src/machine/paths/workspace-paths.ts';
import { eachWithScene, SandboxScene } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

const COMMIT = ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m'];

describe('What a repository has Git read beyond its own folder', function () {
	this.timeout(60_000);
	let scene: SandboxScene;
	const git = (...args: string[]) => execFileSync('git', args, { cwd: scene.workspace, encoding: 'utf8' });
	const kindOf = async (path: string) => {
		const paths = new WorkspacePaths({ folders: [{ name: 'ws', path: scene.workspace }] } as never);
		return (await paths.locate(paths.resolve(path))).protectedKind;
	};

	/** With one commit. */
	const makeRepository = (name: string) => {
		const folder = realpathSync(tempDir(name));
		execFileSync('git', ['init', '--quiet'], { cwd: folder });
		execFileSync('git', [...COMMIT, 'one'], { cwd: folder });
		return folder;
	};

	eachWithScene((made) => (scene = made));

	beforeEach(() => {
		for (const each of ['scripts/pc.sh', 'myhooks/pre-commit', 'tools/clean.sh']) {
			scene.write(each, 'as it was');
		}
		scene.write('build/git.inc', '[include]\n\tpath = ../deep/b.inc\n');
		scene.write('deep/b.inc', '');
		git('init', '--quiet');
		git('config', 'include.path', '../build/git.inc');
		git('config', 'includeIf.gitdir:/.path', '../later/new.inc');
		git('config', 'core.hooksPath', 'myhooks');
		git('config', 'filter.x.clean', './tools/clean.sh %f');
		symlinkSync('../../scripts/pc.sh', scene.path('.git/hooks/pre-commit'));
		mkdirSync(scene.path('.git/rebase-merge'), { recursive: true });
		scene.write('.git/rebase-merge/git-rebase-todo', 'pick 1234\n');
	});

	it('is read-only for a command, and is asked about when the agent writes it', async () => {
		const reached = ['build/git.inc', 'deep/b.inc', 'scripts/pc.sh', 'myhooks/pre-commit', 'tools/clean.sh'];
		const { output } = await scene.sh(reached.map((path) => `echo evil > ${path}`).join('; '));
		assert.equal(output.match(/Read-only file system/g)?.length, reached.length, output);
		for (const path of [...reached, 'later/new.inc', 'myhooks/pre-push']) assert.equal(await kindOf(path), 'git', path);
		assert.equal(await kindOf('scripts/other.sh'), undefined);
	});

	it('is taken away where a command makes it, and links to it are put back', async () => {
		const { kept = [] } = await scene.sh(
			`mkdir -p later && echo evil > later/new.inc; echo "exec evil" >> .git/rebase-merge/git-rebase-todo;
			mkdir -p .git/objects/info; echo /elsewhere > .git/objects/info/alternates`,
		);
		const said = kept.join('\n');
		for (const path of ['later/new.inc', '.git/rebase-merge/git-rebase-todo', '.git/objects/info/alternates']) {
			assert.match(said, new RegExp(`${path.replaceAll('.', '\\.')} steers`));
			assert.equal(existsSync(scene.path(path)), false, path);
		}
	});

	it('is a rebase that runs a program behind links, or after more than is read', async () => {
		execFileSync('rm', ['-r', scene.path('.git/rebase-merge')]);
		for (const [how, left] of [
			['mkdir .git/rb; echo "exec evil" > .git/rb/git-rebase-todo; ln -s rb .git/rebase-merge', '.git/rebase-merge'],
			[
				'mkdir .git/rebase-merge; echo "exec evil" > todo; ln -s ../../todo .git/rebase-merge/git-rebase-todo',
				'.git/rebase-merge/git-rebase-todo',
			],
			[
				'(yes "# note" | head -c 5000000; echo; echo "exec evil") > .git/rebase-merge/git-rebase-todo',
				'.git/rebase-merge/git-rebase-todo',
			],
		] as const) {
			const { kept = [] } = await scene.sh(how);
			assert.ok(kept.join('\n').includes(`${left} steers other programs`), `${how}: ${kept.join('\n')}`);
			assert.equal(existsSync(scene.path('.git/rebase-merge/git-rebase-todo')), false, how);
		}
	});

	it('is an included file whose name Git reads between quotes', async () => {
		git('config', 'include.path', '../q "x\\y.inc');
		const { kept = [] } = await scene.sh("echo evil > 'q \"x\\y.inc'");
		assert.match(kept.join('\n'), /q "x\\y\.inc steers other programs/);
		assert.equal(await kindOf('q "x\\y.inc'), 'git');
	});

	it('keeps a folder of hooks that is a link, and what lies in it', async () => {
		execFileSync('rm', ['-r', scene.path('.git/hooks')]);
		symlinkSync('../scripts', scene.path('.git/hooks'));
		const { output, kept = [] } = await scene.sh(
			'echo evil > scripts/pc.sh; rm .git/hooks && mkdir .git/hooks && echo evil > .git/hooks/pre-commit',
		);
		assert.match(output, /scripts\/pc\.sh: Read-only file system/);
		assert.match(kept.join('\n'), /\.git\/hooks steers/);
		assert.equal(readlinkSync(scene.path('.git/hooks')), '../scripts');
	});

	it('is guarded in a worktree, whose settings lie elsewhere, as well', async () => {
		const main = makeRepository('git-main');
		const inMain = (...args: string[]) => execFileSync('git', args, { cwd: main });
		inMain('config', 'core.hooksPath', 'checks');
		inMain('worktree', 'add', '--quiet', scene.path('tree'));
		scene.write('tree/checks/pre-commit', 'as it was');
		const { output, kept = [] } = await scene.sh('cd tree/checks; echo evil > pre-commit; git status --short');
		assert.match(output, /pre-commit: Read-only file system\n\?\? \.\/\n$/);
		assert.deepEqual(kept, []);
		assert.equal(await kindOf('tree/checks/pre-push'), 'git');
	});

	it('is not exchanged with the folder that it lies in', async () => {
		const library = makeRepository('library');
		git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
		const before = readFileSync(scene.path('.git/modules/lib/config'), 'utf8');
		await scene.sh(
			`for each in build deep scripts .git/modules/lib .git/modules; do
				mv $each aside && cp -r aside $each; find $each -type f | while read file; do echo evil >> $file; done; rm -rf aside; true
			done`,
		);
		assert.equal(readFileSync(scene.path('.git/modules/lib/config'), 'utf8'), before);
		for (const path of ['build/git.inc', 'deep/b.inc', 'scripts/pc.sh'])
			assert.doesNotMatch(readFileSync(scene.path(path), 'utf8'), /evil/, path);
	});

	it('is guarded in a submodule that lies in a folder, checked out or not, and in one that Git would make there', async () => {
		const library = makeRepository('library');
		for (const path of ['libs/one', 'libs/deep/two']) {
			git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, path);
		}
		git('submodule', '--quiet', 'deinit', '--force', 'libs/deep/two');
		const modules = ['libs/one', 'libs/deep/two'].map((path) => `.git/modules/${path}`);
		const before = modules.map((path) => readFileSync(scene.path(`${path}/config`), 'utf8'));
		const made = [
			...modules.map((path) => `${path}/info/attributes`),
			...['.git/modules/libs/new/config', '.git/modules/libs/new/hooks', '.git/modules/libs/one/modules/in/it/hooks'],
		];
		const { kept = [] } = await scene.sh(
			[
				...modules.map((path) => `echo evil >> ${path}/config; echo evil > ${path}/hooks/post-checkout`),
				...made.map(
					(path) => `mkdir -p $(dirname ${path}); ${path.endsWith('hooks') ? 'mkdir' : 'echo evil >'} ${path}`,
				),
			].join('; '),
		);
		assert.deepEqual(
			modules.map((path) => readFileSync(scene.path(`${path}/config`), 'utf8')),
			before,
		);
		for (const path of [...made, ...modules.map((each) => `${each}/hooks/post-checkout`)]) {
			assert.equal(existsSync(scene.path(path)), false, path);
		}
		for (const path of made)
			assert.ok(
				kept.some((each) => each.startsWith(`${path} steers other programs`)),
				path,
			);
		assert.equal(await kindOf('.git/modules/libs/one/config'), 'git');
	});

	it('is guarded in a submodule whatever a command makes beside it', async () => {
		const library = makeRepository('library');
		for (const name of ['x/lfs/a', 'libs/one']) {
			const words = ['submodule', '--quiet', 'add', '--name', name, library, name.replaceAll('/', '-')];
			git('-c', 'protocol.file.allow=always', ...words);
		}
		const settings = ['x/lfs/a', 'libs/one'].map((name) => scene.path(`.git/modules/${name}/config`));
		const before = settings.map((path) => readFileSync(path, 'utf8'));
		await scene.sh(
			`echo ref: refs/heads/main > .git/modules/x/HEAD; mkdir -p wt/hooks; ln -s ../../wt .git/worktrees
			ln -s libs .git/modules/aaa; ln -s $PWD/.git/modules/libs .git/modules/bbb; ln -s . .git/modules/0`,
		);
		const { output } = await scene.sh(`${settings.map((path) => `echo evil >> ${path}`).join('; ')}; echo ran`);
		assert.match(output, /Read-only file system[^]*Read-only file system[^]*ran\n$/);
		assert.deepEqual(
			settings.map((path) => readFileSync(path, 'utf8')),
			before,
		);
	});

	it('is guarded in a worktree that no longer leads back', async () => {
		git(...COMMIT, 'one', '--no-verify');
		git('worktree', 'add', '--quiet', scene.path('tree'));
		scene.write('tree/myhooks/pre-commit', 'as it was');
		await scene.sh('echo /nowhere/.git > .git/worktrees/tree/gitdir');
		const { output } = await scene.sh('echo evil > tree/myhooks/pre-commit');
		assert.match(output, /pre-commit: Read-only file system/);
		assert.equal(await kindOf('tree/myhooks/pre-push'), 'git');
	});

	it('is guarded in a worktree whose settings a command in the background would have come from elsewhere', async () => {
		git(...COMMIT, 'one', '--no-verify');
		git('worktree', 'add', '--quiet', scene.path('tree'));
		const { commandId } = await scene.start([
			'sh',
			'-c',
			'echo $PWD/evil > .git/worktrees/tree/commondir; mv .git/worktrees/tree aside',
		]);
		const id = commandId ?? assert.fail('it did not start');
		await scene.commands.ended(id);
		const { output } = await scene.commands.output(id, null, 0, new AbortController().signal);
		assert.match(output, /commondir: Read-only file system[^]*busy/);
		assert.equal(readFileSync(scene.path('.git/worktrees/tree/commondir'), 'utf8'), '../..\n');
	});

	it('is taken away where a folder above has the name of those of worktrees', async () => {
		const workspace = join(realpathSync(tempDir('above')), 'worktrees/project');
		mkdirSync(workspace, { recursive: true });
		execFileSync('git', ['init', '--quiet'], { cwd: workspace });
		const below = new SandboxScene({}, {}, workspace);
		try {
			const { kept = [] } = await below.sh('echo ../evil > .git/commondir');
			assert.match(kept.join('\n'), /\.git\/commondir steers other programs/);
			assert.equal(existsSync(below.path('.git/commondir')), false);
		} finally {
			await below.close();
		}
	});

	it('has nothing made elsewhere, where a link among submodules leads, for a command in the background', async () => {
		const elsewhere = tempDir('elsewhere');
		await scene.sh(`mkdir -p .git/modules; ln -s ${elsewhere} .git/modules/x`);
		const { commandId } = await scene.start(['sh', '-c', 'until [ -e ended ]; do sleep 0.05; done']);
		const made = readdirSync(elsewhere);
		scene.write('ended', '');
		await scene.commands.ended(commandId ?? assert.fail('it did not start'));
		assert.deepEqual(made, []);
	});

	it('is taken away from the repository of a worktree, wherever that lies', async () => {
		const main = makeRepository('git-main');
		const inMain = (...args: string[]) => execFileSync('git', args, { cwd: main });
		inMain('worktree', 'add', '--quiet', scene.path('tree'));
		const made = ['config.worktree', 'info/attributes', 'objects/info/alternates', 'worktrees/tree/config.worktree'];
		const todos = ['rebase-merge/git-rebase-todo', 'worktrees/tree/rebase-merge/git-rebase-todo'];
		const { kept = [] } = await scene.sh(
			[...made, ...todos]
				.map((name) => `mkdir -p $(dirname ${main}/.git/${name}); echo "exec evil" > ${main}/.git/${name}`)
				.join('; '),
		);
		for (const name of [...made, ...todos]) {
			assert.equal(existsSync(join(main, '.git', name)), false, name);
			assert.match(kept.join('\n'), new RegExp(`${main}/\\.git/${name} steers other programs`));
		}
		const { exitCode, output } = await scene.sh(
			'cd tree && echo x > x && git add -A && git -c user.name=a -c user.email=a@b commit -qm two',
		);
		assert.equal(exitCode, 0, output);
	});

	it('leaves Git, and a rebase that runs no program, as they are', async () => {
		git('config', '--unset', 'core.hooksPath');
		execFileSync('rm', ['-r', scene.path('.git/hooks'), scene.path('.git/rebase-merge')]);
		const { output, exitCode, kept } = await scene.sh(
			`git add -A && git -c user.name=a -c user.email=a@b commit -qm one && git status --short && mkdir .git/rebase-merge &&
			echo "pick 12" > .git/rebase-merge/git-rebase-todo`,
		);
		assert.equal(exitCode, 0, output);
		assert.deepEqual(kept ?? [], []);
		assert.equal(readFileSync(scene.path('.git/rebase-merge/git-rebase-todo'), 'utf8'), 'pick 12\n');
	});
});
