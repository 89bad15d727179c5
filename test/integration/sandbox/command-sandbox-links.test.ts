/** Files with several names: what a sandboxed command may not do by one name, it may not do by another. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

describe('A command in the sandbox, and files with several names', function () {
	this.timeout(30_000);
	let scene: SandboxScene;
	let outside: string;
	eachWithScene((made) => {
		scene = made;
		outside = tempDir('outside');
	});

	/** Gives a file outside a name in the workspace. */
	function link(from: string, to: string): string {
		const original = join(outside, from);
		mkdirSync(dirname(original), { recursive: true });
		mkdirSync(dirname(scene.path(to)), { recursive: true });
		writeFileSync(original, 'original\n');
		linkSync(original, scene.path(to));
		return original;
	}

	it('changes no file outside by a name in the workspace, and is told what to ask for', async () => {
		const original = link('a.txt', 'sub/a.txt');
		const { kept = [], output } = await scene.sh('cat sub/a.txt; echo evil >> sub/a.txt');
		assert.match(output, /^original\n.*Read-only file system/s);
		assert.match(kept.join('\n'), /needs\.write \["sub\/a\.txt"\]/);
		const let_ = await scene.sh('echo agreed >> sub/a.txt', { reach: { write: [scene.path('sub/a.txt')] } });
		assert.equal(let_.exitCode, 0);
		assert.equal(readFileSync(original, 'utf8'), 'original\nagreed\n');
		link('later.txt', 'sub/later.txt');
		assert.match((await scene.sh('echo evil >> sub/later.txt')).output, /Read-only file system/);
	});

	it('reads no secret and changes no instructions by a second name', async () => {
		scene.write('.env', 'KEY=1');
		scene.write('AGENTS.md', 'mine');
		linkSync(scene.path('.env'), scene.path('hard-env.txt'));
		linkSync(scene.path('AGENTS.md'), scene.path('notes.md'));
		const { output } = await scene.sh('cat hard-env.txt; echo evil >> hard-env.txt; echo evil >> notes.md');
		assert.doesNotMatch(output, /KEY/);
		assert.deepEqual(
			['.env', 'AGENTS.md'].map((name) => readFileSync(scene.path(name), 'utf8')),
			['KEY=1', 'mine'],
		);
	});

	it('reads nothing of a secret folder by a second name', async () => {
		scene.write('.aws/deep/key', 'hunter22');
		for (const odd of ['.aws/.env', '.aws/deep/AGENTS.md', '.aws/node_modules/a/b.js']) scene.write(odd, '');
		linkSync(scene.path('.aws/deep/key'), scene.path('notes.txt'));
		const { output } = await scene.sh('cat notes.txt; ls -A .aws; echo ran');
		assert.equal(output, 'ran\n');
	});

	it('changes and replaces files all whose names are ordinary ones of the workspace', async () => {
		scene.write('a.txt', 'a\n');
		linkSync(scene.path('a.txt'), scene.path('b.txt'));
		const { exitCode, kept } = await scene.sh('echo more >> a.txt; ln b.txt c.txt; rm b.txt; mv c.txt d.txt');
		assert.deepEqual([exitCode, kept], [0, undefined]);
		assert.equal(readFileSync(scene.path('d.txt'), 'utf8'), 'a\nmore\n');
	});

	it('changes no file of a store of packages, and builds beside it', async () => {
		const stores = [
			['pnpm.js', 'node_modules/.pnpm/x@1.0.0/node_modules/x/index.js'],
			['bun.js', 'bun/node_modules/x/index.js'],
			['uv.py', '.venv/lib/python3.12/site-packages/x/__init__.py'],
		] as const;
		const originals = stores.map(([from, to]) => link(from, to));
		mkdirSync(scene.path('bun/node_modules/.cache'));
		const attempts = stores.map(([, to]) => `echo evil >> ${to}; rm -f ${to}`).join('; ');
		await scene.sh(attempts);
		assert.deepEqual(
			originals.map((path) => readFileSync(path, 'utf8')),
			['original\n', 'original\n', 'original\n'],
		);
		const beside = 'mkdir node_modules/.vite; echo x > node_modules/.vite/a; echo x > bun/node_modules/.cache/a';
		assert.equal((await scene.sh(`set -e; ${beside}; cat ${stores[0][1]} > built.js`)).exitCode, 0);
		const reach = { write: [scene.path('bun/node_modules')] };
		assert.equal((await scene.sh('rm -r bun/node_modules/x && mkdir bun/node_modules/y', { reach })).exitCode, 0);
	});

	it('works in a local clone of a repository, whose objects have names in both', async () => {
		const git = (cwd: string, ...args: string[]) =>
			execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, stdio: 'pipe' });
		git(outside, 'init', '--quiet');
		writeFileSync(join(outside, 'a.txt'), 'a\n');
		git(outside, 'add', '.');
		git(outside, 'commit', '--quiet', '-m', 'first');
		git(scene.workspace, 'clone', '--quiet', outside, 'clone');
		const script = `set -e; cd clone; echo b > b.txt; git add .; git -c user.name=a -c user.email=a@b commit -qm second; git gc -q; git log --oneline`;
		const { output, exitCode } = await scene.sh(script);
		assert.equal(exitCode, 0, output);
		assert.match(output, /second\n.*first/);
		assert.ok(statSync(scene.path('clone/b.txt')).isFile());
	});
});
