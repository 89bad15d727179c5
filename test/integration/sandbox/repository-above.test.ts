import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bubblewrap, SandboxScene } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

const IDENTITY = '-c user.name=Ada -c user.email=a@example.org';

describe('A package of a repository that is opened alone', function () {
	this.timeout(30_000);
	let tree: string;
	let scene: SandboxScene;

	before(function () {
		if (bubblewrap === undefined) this.skip();
	});
	beforeEach(() => {
		tree = tempDir('monorepo');
		const files = {
			'a.txt': 'a\n',
			'packages/one/one.txt': 'one\n',
			'packages/two/two.txt': 'two\n',
			'.gitignore': '.env\nnotes.txt\n',
		};
		for (const [path, content] of Object.entries(files)) write(path, content);
		git('init', '--quiet', '-b', 'main');
		git('add', '.');
		git(...IDENTITY.split(' '), 'commit', '--quiet', '-m', 'first');
		write('.env', 'KEY=canary\n');
		scene = new SandboxScene({}, {}, join(tree, 'packages/one'));
	});
	afterEach(() => scene?.close());

	const git = (...args: string[]) => execFileSync('git', args, { cwd: tree, encoding: 'utf8', stdio: 'pipe' });
	const write = (path: string, content: string) => {
		mkdirSync(dirname(join(tree, path)), { recursive: true });
		writeFileSync(join(tree, path), content);
	};

	it('lets Git work in it as in the whole repository', async () => {
		scene.write('one.txt', 'changed\n');
		const { output } = await scene.sh(
			`git status --porcelain && git ${IDENTITY} commit --quiet -am second && git log --format=%s`,
		);
		assert.equal(output, ' M packages/one/one.txt\nsecond\nfirst\n');
		assert.equal(git('status', '--porcelain'), '');
		assert.equal(git('show', '--format=', '--name-only', 'HEAD'), 'packages/one/one.txt\n');
	});

	it('shows commands the rest of the repository as it is, without its secrets', async () => {
		const { output } = await scene.sh(
			'cat ../two/two.txt ../../.env; echo x > ../two/two.txt; echo x > ../new.txt; rm -rf ../../packages/two; mv ../../.git ../../other',
		);
		assert.match(output, /^two\n/);
		assert.doesNotMatch(output, /canary/);
		assert.equal(readFileSync(join(tree, 'packages/two/two.txt'), 'utf8'), 'two\n');
		assert.deepEqual([existsSync(join(tree, 'packages/new.txt')), existsSync(join(tree, '.git/HEAD'))], [false, true]);
	});

	it('keeps what steers Git as it is', async () => {
		git('config', 'alias.x', 'status');
		const { kept = [] } = await scene.sh(
			'cd ../../.git; echo x >> config; echo x > hooks/pre-commit; echo "* filter=x" > info/attributes; printf "[core]\\n" > config.worktree; true',
		);
		assert.doesNotMatch(readFileSync(join(tree, '.git/config'), 'utf8'), /^x/m);
		for (const name of ['hooks/pre-commit', 'info/attributes', 'config.worktree']) {
			assert.equal(existsSync(join(tree, '.git', name)), false, name);
		}
		assert.match(kept.join('\n'), /\.git\/config\.worktree steers other programs/);
	});

	it('is told what to use where the repository holds more than can be guarded', async () => {
		for (let at = 0; at < 400; at++) write(`keys/${at}.pem`, 'canary');
		const { output, kept = [] } = await scene.sh('git status; cat ../../keys/1.pem ../two/two.txt');
		assert.match(output, /not a git repository/);
		assert.doesNotMatch(output, /canary|^two/m);
		assert.match(kept.join('\n'), /does not show it\. Use git_status and git_diff/);
	});

	it('sees no repository that would show a home, or that is another user’s', async () => {
		const home = tempDir('user-home');
		mkdirSync(join(home, 'project'));
		writeFileSync(join(home, 'notes.txt'), 'canary');
		execFileSync('git', ['init', '--quiet', home]);
		const before = process.env['HOME'];
		process.env['HOME'] = home;
		const inHome = new SandboxScene({}, { HOME: home }, join(home, 'project'));
		try {
			const { output } = await inHome.sh(`git status; cat ${home}/notes.txt`);
			assert.match(output, /not a git repository/);
			assert.doesNotMatch(output, /canary/);
		} finally {
			process.env['HOME'] = before;
			await inHome.close();
		}
	});

	it('may be given the folder above it, which then hides and guards what it did before', async () => {
		scene.write('.env', 'KEY=canary\n');
		scene.write('.vscode/settings.json', '{}');
		const reach = { read: [dirname(scene.workspace)] };
		const script = 'ls .. && cat .env && echo x > made.txt && echo x > .vscode/tasks.json';
		const seen = await scene.sh(script, { reach });
		assert.match(seen.output, /^one\ntwo\n/);
		assert.doesNotMatch(seen.output, /canary/);
		assert.equal(readFileSync(scene.path('made.txt'), 'utf8'), 'x\n');
		const changed = await scene.sh(`echo x > ../new.txt; ${script}`, { reach: { write: [dirname(scene.workspace)] } });
		assert.doesNotMatch(changed.output, /canary/);
		assert.equal(readFileSync(join(tree, 'packages/new.txt'), 'utf8'), 'x\n');
		assert.equal(existsSync(scene.path('.vscode/tasks.json')), false);
	});
});
