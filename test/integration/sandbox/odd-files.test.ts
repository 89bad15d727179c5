/** Tests the first command of a workspace whose files are no files: it starts, and nothing waits or fills the memory. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { launchIdentity } from '../../../src/execution/mcp/consent/launch-identity.ts';
import { readProjectFile } from '../../../src/features/goal/until/project-files.ts';
import { isPlainRepository, readBranch } from '../../../src/machine/git/plain-repository.ts';
import { eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** All that our own code reads before a command starts, and beside it. */
const NAMES = [
	...['.git/config', '.git/HEAD', '.git/index', '.git/commondir', '.git/config.worktree', '.git/info/attributes'],
	...['.git/hooks', '.git/modules/a/config', '.git/worktrees/a/config', 'sub/.git', '.gitmodules', '.gitignore'],
	...['package-lock.json', 'npm-shrinkwrap.json', 'Cargo.lock', 'package.json', 'sub/.gitignore', '.npmrc', '.env'],
];
const BUILD_FILES = ['package.json', 'Cargo.toml', 'Makefile'];

describe('The first command of a workspace', function () {
	this.timeout(60_000);
	let scene: SandboxScene;
	let servers: Server[];

	eachWithScene((made) => (scene = made));
	beforeEach(() => (servers = []));
	afterEach(() => servers.forEach((server) => server.close()));

	const kinds: readonly (readonly [what: string, make: (path: string) => unknown])[] = [
		['links to a device without an end', (path) => symlinkSync('/dev/zero', path)],
		['pipes', (path) => execFileSync('mkfifo', [path])],
		['links to a pipe', (path) => (execFileSync('mkfifo', [`${path}.p`]), symlinkSync(`${path}.p`, path))],
		['links out of it', (path) => symlinkSync(join(tempDir('out'), 'none'), path)],
		['folders', (path) => mkdirSync(path)],
		['sockets', (path) => new Promise<void>((made) => servers.push(createServer().listen(path, made)))],
		['sparse files of 5 GB', (path) => (writeFileSync(path, ''), truncateSync(path, 5_000_000_000))],
		['links to themselves', (path) => symlinkSync(path, path)],
	];
	for (const [what, make] of kinds) {
		it(`starts, and what is beside it is read, where its files are ${what}`, async () => {
			for (const name of NAMES) {
				mkdirSync(dirname(scene.path(name)), { recursive: true });
				await make(scene.path(name));
			}
			const words = ['sh', '-c', 'echo done # npm cargo'];
			const { output, exitCode } = await scene.run(words);
			assert.deepEqual([output, exitCode], ['done\n', 0]);
			assert.equal(await isPlainRepository(scene.workspace, scene.workspace), false);
			assert.equal(await readBranch(scene.workspace), undefined);
			for (const name of BUILD_FILES) assert.equal(readProjectFile(scene.workspace, name), '');
			const launch = { kind: 'stdio' as const, command: 'node', args: ['package.json'], cwd: scene.workspace, env: {} };
			const server = { name: 'a', source: 'project' as const, folder: scene.workspace, launch, pluginRoot: undefined };
			await launchIdentity(server as unknown as Parameters<typeof launchIdentity>[0], [scene.workspace], false);
			rmSync(scene.path('.git'), { recursive: true, force: true });
			await make(scene.path('.git'));
			assert.equal((await scene.run(words)).output, 'done\n');
		});
	}

	it('tells a file of a server that is too large to be read from what it was before', async () => {
		writeFileSync(scene.path('server.js'), '');
		truncateSync(scene.path('server.js'), 5_000_000_000);
		const launch = { kind: 'stdio' as const, command: 'node', args: ['server.js'], cwd: scene.workspace, env: {} };
		const server = { name: 'a', source: 'project' as const, folder: scene.workspace, launch, pluginRoot: undefined };
		const hash = async () =>
			(await launchIdentity(server as unknown as Parameters<typeof launchIdentity>[0], [scene.workspace], false)).hash;
		const before = await hash();
		assert.equal(await hash(), before);
		writeFileSync(scene.path('server.js'), 'x', { flag: 'r+' });
		assert.notEqual(await hash(), before);
	});
});
