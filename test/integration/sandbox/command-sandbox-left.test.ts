/** Tests leftovers of a command in the sandbox that steer other programs, and the report of what the command lacked. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	statSync,
	symlinkSync,
	writeFileSync,
	renameSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { CommandSandbox } from '../../../src/machine/sandbox/command-sandbox.ts';
import { GUARDED_PLACES } from '../../../src/machine/sandbox/limits.ts';
import { eachWithScene, SandboxScene } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';

const never = new AbortController().signal;

describe('A command in the sandbox that would steer other programs', function () {
	this.timeout(30_000);
	let scene: SandboxScene;
	const git = (...args: string[]) => execFileSync('git', args, { cwd: scene.workspace, encoding: 'utf8' });

	eachWithScene((made) => (scene = made));

	it('has the files taken away that it made for that, and is told where they are', async () => {
		const { kept = [] } = await scene.sh(
			'echo evil > .npmrc; mkdir -p sub/.husky deep/er; echo x > sub/.husky/pre-commit; echo y > deep/er/.envrc; echo fine > a.txt',
		);
		assert.deepEqual(readdirSync(scene.workspace).sort(), ['a.txt', 'deep', 'sub']);
		assert.deepEqual([existsSync(scene.path('sub/.husky')), existsSync(scene.path('deep/er/.envrc'))], [false, false]);
		const [said = ''] = kept;
		assert.equal(kept.length, 3);
		const [, to = ''] =
			/^\.npmrc steers other programs\. .* moved to (\S+)\. .*needs\.write \["\.npmrc"\]\.$/.exec(said) ?? [];
		assert.equal(readFileSync(to, 'utf8'), 'evil\n');
	});

	it('makes no repository of a folder, and no other of one', async () => {
		git('init', '--quiet');
		const { kept = [] } = await scene.sh(
			`git init --quiet nested; git init --quiet --bare bare; echo ../elsewhere > .git/commondir; echo x > .git/info/attributes`,
		);
		assert.equal(existsSync(scene.path('nested/.git')), false);
		assert.equal(existsSync(scene.path('bare/HEAD')), false);
		assert.equal(existsSync(scene.path('.git/commondir')), false);
		assert.match(kept.join('\n'), /^\.git\/commondir steers.*\nbare\/HEAD steers.*\nnested\/\.git steers/s);
		assert.equal(git('status', '--short'), '?? bare/\n');
	});

	it('leaves no file that has the number of a link that it removed', async () => {
		scene.write('AGENTS.md', 'mine');
		symlinkSync('AGENTS.md', scene.path('CLAUDE.md'));
		const reuse = `n=$(stat -c %i CLAUDE.md); rm CLAUDE.md; mkdir sub; for i in $(seq 1 300); do
			echo POISON > sub/x$i; if [ $(stat -c %i sub/x$i) = $n ]; then break; fi; done; mv sub/x$i sub/CLAUDE.md; rm -f sub/x*`;
		const { kept = [] } = await scene.sh(reuse);
		assert.deepEqual(readdirSync(scene.path('sub')), []);
		assert.match(kept.join('\n'), /^sub\/CLAUDE\.md steers/m);
	});

	it('leaves nothing in a folder whose time of change it has set back', async () => {
		scene.write('src/a.ts', 'x');
		await scene.sh('touch -d 2020-01-01 src');
		await waitFor('a settled folder', () => Date.now() - statSync(scene.path('src')).ctimeMs > 100);
		await scene.sh('true');
		const { kept = [] } = await scene.sh('echo POISON > src/CLAUDE.md; mkfifo src/p; touch -d 2020-01-01 src');
		assert.deepEqual(readdirSync(scene.path('src')), ['a.ts']);
		assert.match(kept.join('\n'), /^src\/CLAUDE\.md steers/);
	});

	it('leaves no pipe, socket or device behind, and none of those that others made is taken away', async () => {
		execFileSync('mkfifo', [scene.path('mine')]);
		const running = scene.sh(
			'mkdir sub; mkfifo .gitignore sub/p; until [ -e sock ]; do sleep 0.1; done; echo x > a.txt',
		);
		await waitFor('the command', () => existsSync(scene.path('sub/p')));
		const server = createServer();
		await new Promise<void>((made) => server.listen(scene.path('sock'), made));
		const { kept = [] } = await running;
		assert.deepEqual(readdirSync(scene.workspace).sort(), ['a.txt', 'mine', 'sock', 'sub']);
		server.close();
		assert.deepEqual(readdirSync(scene.path('sub')), []);
		assert.match(kept.join('\n'), /^\.gitignore is a pipe, a socket or a device.*removed\.\nsub\/p is a pipe/);
	});

	it('is told where there is more than its sandbox guards, and is guarded whole behind 900 folders', async () => {
		for (let folder = 0; folder < 900; folder++) mkdirSync(scene.path(`f${folder}`));
		scene.write('packages/app/.env', 'KEY=1');
		scene.write('packages/app/CLAUDE.md', 'mine');
		const first = await scene.sh('cat packages/app/.env; echo evil > packages/app/CLAUDE.md');
		assert.match(first.output, /^[^\n]*Read-only file system\n$/);
		assert.equal(scene.sandbox.hidesSecrets(), true);
		assert.doesNotMatch(first.kept?.join() ?? '', /than are guarded/);
		for (let each = 0; each < GUARDED_PLACES; each++) scene.write(`.env.${each}`, '');
		assert.equal(scene.sandbox.hidesSecrets(), false);
		assert.match((await scene.sh('true')).kept?.join() ?? '', /more secret and protected files, than are guarded/);
	});

	it('does not end its host with a repository that nothing can read', async () => {
		const { exitCode, kept = [] } = await scene.sh(
			'mkdir -p bare/HEAD bare/objects bare/refs bare/config; ln -s x .npmrc',
		);
		assert.equal(exitCode, 0);
		assert.match(kept.join('\n'), /\.npmrc steers[^]*bare\/HEAD steers/);
		assert.deepEqual(readdirSync(scene.workspace), ['bare']);
	});

	it('cannot put a folder where the editor, Git or Prowess act at once, even while it runs', async () => {
		const { output } = await scene.sh(
			'for each in .vscode .git .prowess; do echo evil > $each/x; mv $each y; rmdir $each; done; ls -A',
		);
		assert.equal(output.split('\n').filter((line) => /Read-only file system/.test(line)).length, 3);
		assert.deepEqual(readdirSync(scene.workspace), []);
	});

	it('leaves what the user put into such a folder meanwhile', async () => {
		const { commandId } = await scene.start(['sh', '-c', 'echo ready; sleep 30']);
		await scene.commands.output(commandId, null, 5_000, never);
		writeFileSync(scene.path('.vscode/settings.json'), '{}');
		scene.write('.env', 'KEY=mine');
		const { kept = [] } = await scene.commands.stop(commandId, null);
		assert.equal(readFileSync(scene.path('.vscode/settings.json'), 'utf8'), '{}');
		assert.equal(readFileSync(scene.path('.env'), 'utf8'), 'KEY=mine');
		assert.deepEqual(readdirSync(scene.workspace).sort(), ['.env', '.vscode']);
		assert.match(kept.join('\n'), /^\.env appeared while the command ran/);
	});

	it('does not take away what was let, to it or to another beside it, or what the host wrote', async () => {
		const write = [scene.path('.npmrc')];
		const state = await scene.sh('echo mine > .npmrc', { reach: { write } });
		assert.deepEqual([state.kept, readFileSync(scene.path('.npmrc'), 'utf8')], [undefined, 'mine\n']);
		const slow = scene.sh('until [ -e go ]; do sleep 0.05; done');
		await waitFor('the slow command', () => existsSync(scene.path('.vscode')));
		scene.sandbox.expect(scene.path('.envrc'));
		scene.write('.envrc', 'from the host');
		await scene.sh('echo mine > .yarnrc; touch go', { reach: { write: [scene.path('.yarnrc')] } });
		assert.equal((await slow).kept, undefined);
		assert.deepEqual(readdirSync(scene.workspace).sort(), ['.envrc', '.npmrc', '.yarnrc', 'go']);
	});

	it('may move a folder with such files in it', async () => {
		scene.write('packages/a/.npmrc', 'x=y');
		const { kept } = await scene.sh('mv packages/a packages/b');
		assert.deepEqual([kept, readFileSync(scene.path('packages/b/.npmrc'), 'utf8')], [undefined, 'x=y']);
	});

	it('changes nothing by a link: neither where it leads, nor the link', async () => {
		scene.write('real/settings.json', '{}');
		symlinkSync('real', scene.path('.vscode'));
		scene.write('keys.txt', 'canary');
		symlinkSync('keys.txt', scene.path('.env'));
		const { output } = await scene.sh(
			'cat .env keys.txt; echo evil > .vscode/settings.json; rm .vscode; mkdir .vscode; echo evil > .vscode/tasks.json',
		);
		assert.doesNotMatch(output, /canary/);
		assert.equal(readFileSync(scene.path('real/settings.json'), 'utf8'), '{}');
		assert.equal(readlinkSync(scene.path('.vscode')), 'real');
	});

	it('is not led out by a link that it makes', async () => {
		const outside = tempDir('outside');
		writeFileSync(join(outside, 'there.txt'), 'as it was');
		await scene.sh(
			`ln -s ${outside} .husky; ln -s ${outside} sub; echo evil > sub/there.txt; ln -s ${outside} .vscode/x`,
		);
		assert.deepEqual(readdirSync(outside), ['there.txt']);
		assert.equal(readFileSync(join(outside, 'there.txt'), 'utf8'), 'as it was');
		assert.equal(existsSync(scene.path('.husky')), false);
	});

	it('leaves no empty folder behind once another host starts after its own was killed, and takes nothing else', async () => {
		const home = tempDir('home');
		const own = join(home, 'sandbox/commands/1999999999-x');
		mkdirSync(own, { recursive: true });
		const [left, used, notOurs] = ['.vscode', '.git', '.prowess'].map((name) => scene.path(name)) as [
			string,
			string,
			string,
		];
		for (const path of [left, used, notOurs]) mkdirSync(path);
		writeFileSync(join(used, 'HEAD'), 'ref: refs/heads/main\n');
		writeFileSync(join(own, 'placeholders.json'), JSON.stringify([left, used]));
		const next = new CommandSandbox({ home, folders: () => [], bubblewrapCandidates: () => [] });
		await waitFor('its end', () => !existsSync(own));
		await next.close();
		assert.deepEqual([left, used, notOurs].map(existsSync), [false, true, true]);
	});

	it('takes away what it put in the place of instructions that it has moved, and none that the user has saved', async () => {
		scene.write('sub/AGENTS.md', 'mine');
		scene.write('other/AGENTS.md', 'mine too');
		// Folders of tools are not looked through.
		for (const aside of ['aside', 'target/aside']) {
			scene.write('sub/deep/AGENTS.md', 'mine');
			const { kept = [] } = await scene.sh(
				`mkdir target; mv sub ${aside} && mkdir -p sub/deep && echo evil | tee sub/AGENTS.md sub/deep/AGENTS.md`,
			);
			assert.match(kept.join('\n'), /sub\/deep\/AGENTS\.md steers other programs/);
			for (const path of ['sub/AGENTS.md', 'sub/deep/AGENTS.md'])
				assert.equal(existsSync(scene.path(path)), false, path);
			scene.write('sub/AGENTS.md', 'mine');
		}
		const saved = scene.sh('until [ -e saved ]; do sleep 0.01; done');
		scene.write('other/new', 'saved');
		renameSync(scene.path('other/new'), scene.path('other/AGENTS.md'));
		scene.write('saved', '');
		assert.deepEqual((await saved).kept ?? [], []);
	});

	it('works in the worktree of a repository that lies elsewhere, but in no repository that does not know it', async () => {
		const main = tempDir('main');
		const inMain = (...args: string[]) => execFileSync('git', args, { cwd: main, encoding: 'utf8' });
		inMain('init', '--quiet');
		inMain(
			'-c',
			'user.name=Ada',
			'-c',
			'user.email=a@example.org',
			'commit',
			'--quiet',
			'--allow-empty',
			'-m',
			'first',
		);
		inMain('worktree', 'add', '--quiet', scene.path('tree'));
		const tree = new SandboxScene({}, {}, scene.path('tree'));
		const commit =
			'git -c user.name=Ada -c user.email=a@example.org commit --quiet --allow-empty -m second; echo evil > $(git rev-parse --git-common-dir)/hooks/pre-commit';
		await tree.sh(commit);
		assert.equal(inMain('log', '--format=%s', 'tree'), 'second\nfirst\n');
		assert.equal(existsSync(join(main, '.git/hooks/pre-commit')), false);
		await tree.close();
		const stranger = new SandboxScene({ '.git': `gitdir: ${main}/.git/worktrees/tree\n` });
		assert.match((await stranger.sh(commit)).output, /not a git repository|does not exist/i);
		await stranger.close();
	});
});

describe('A command that fails in the sandbox', function () {
	this.timeout(30_000);
	let scene: SandboxScene;

	eachWithScene((made) => (scene = made));

	const saidOf = async (script: string) => ((await scene.sh(script)).kept ?? []).join('\n');

	it('is told what it could not read or change, and how to ask for it', async () => {
		scene.writeHome('notes/a.txt', 'canary');
		scene.write('.env', 'KEY=canary');
		scene.write('.vscode/settings.json', '{}');
		const outside = tempDir('outside');
		assert.match(
			await saidOf('cat ~/notes/a.txt'),
			/hides ~\/notes\/a\.txt\. To read it, ask with needs\.read \["~\/notes\/a\.txt"\]/,
		);
		assert.match(await saidOf(`ls ${outside}`), new RegExp(`needs\\.read \\["${outside}"\\]`));
		assert.match(await saidOf('echo x > .vscode/settings.json'), /needs\.write \["\.vscode\/settings\.json"\]/);
		assert.match(await saidOf('grep KEY .env || { echo "no KEY in .env"; exit 1; }'), /needs\.read \["\.env"\]/);
		assert.match(await saidOf('touch /etc/x'), /^$/);
		assert.equal(
			await saidOf('git init -q .'),
			'The sandbox keeps .git from being made. To make it, ask with needs.write [".git"].',
		);
		scene.write('a.txt', 'a');
		assert.match(await saidOf('cp a.txt /etc/hosts'), /^The sandbox keeps \/etc\/hosts from/);
		for (const line of [
			"cannot copy '/etc/hosts' to '.vscode/settings.json'",
			"symlink: '.vscode/settings.json' -> '/etc/hosts'",
		]) {
			const said = await saidOf(`echo "${line}: Read-only file system" >&2; exit 1`);
			assert.match(said, /^The sandbox keeps \.vscode\/settings\.json from being changed\. [^\n]*$/, line);
		}
		assert.match(await saidOf('touch /etc/hosts'), /needs\.write \["\/etc\/hosts"\]/);
	});

	it('is told that a host is reached through the proxy only', async () => {
		const script = `require('node:https').get('https://registry.example.org', () => {}).on('error', (error) => { console.error(error.message); process.exit(1) })`;
		const { kept = [] } = await scene.run([process.execPath, '-e', script]);
		assert.match(kept.join('\n'), /^To reach registry\.example\.org, use https .*needs\.noSandbox\.$/);
	});

	it('is told nothing when it fails for another reason', async () => {
		assert.equal(await saidOf('ls missing; exit 2'), '');
	});

	it('reaches what a person let it reach, and nothing beside it', async () => {
		scene.writeHome('notes/a.txt', 'a');
		scene.writeHome('other.txt', 'canary');
		scene.write('.env', 'KEY=value');
		scene.write('.env.local', 'KEY=canary');
		const outside = tempDir('outside');
		const reach = { read: [join(scene.userHome, 'notes'), scene.path('.env')], write: [outside] };
		const script = `cat ~/notes/a.txt .env .env.local ~/other.txt; echo made > ${outside}/made.txt; echo x > ~/notes/b.txt`;
		const { output } = await scene.sh(script, { reach });
		assert.match(output, /^aKEY=value/);
		assert.doesNotMatch(output, /canary/);
		assert.deepEqual(readdirSync(outside), ['made.txt']);
		assert.equal(existsSync(join(scene.userHome, 'notes/b.txt')), false);
	});
});
