/** Files that a command in the background makes steer nobody before the user has said so, neither while it runs nor after it. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandSandbox } from '../../../src/machine/sandbox/command-sandbox.ts';
import { WorkspacePaths } from '../../../src/machine/paths/workspace-paths.ts';
import { bubblewrap, eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workspaceOnDisk } from '../../support/workspace-on-disk.ts';
import { specProgram } from '../../support/programs.ts';

const STEERING = [
	...['CLAUDE.md', 'sub/AGENTS.md', '.github/copilot-instructions.md', '.cursor/rules/a.mdc', '.claude/CLAUDE.md'],
	...['.husky/pre-commit', '.envrc', '.mcp.json', '.claude/settings.json', '.github/workflows/x.yml', '.gitattributes'],
	...['.devcontainer/devcontainer.json', 'sub/.vscode/tasks.json', '.vscode/tasks.json', '.prowess/policy.yaml'],
];

describe('A command in the background', function () {
	this.timeout(30_000);
	let scene: SandboxScene;
	eachWithScene((made) => (scene = made));

	const other = () =>
		new CommandSandbox({
			home: scene.prowessHome,
			folders: () => [scene.workspace],
			bubblewrapCandidates: () => [bubblewrap ?? ''],
		});
	async function instructions(sandbox = scene.sandbox) {
		const paths = new WorkspacePaths({ folders: [{ name: 'app', path: scene.workspace }] });
		const disk = await workspaceOnDisk({}, { paths, wall: sandbox });
		const told = await disk.perform('workspace.instructions', { touched: ['sub/a.ts'], told: [], again: [] });
		await disk.close();
		return {
			files: told.files.map(({ path }) => path),
			planted: told.left.map(({ path, reason }) => `${reason} ${path}`),
		};
	}
	const plant = STEERING.map((path) => `mkdir -p ${dirname(path)}; echo POISON > ${path}`).join('; ');

	it('makes no instructions that count while it runs, nor after it, in this host or in the next', async () => {
		scene.write('AGENTS.md', 'mine');
		const { commandId } = await scene.start(['sh', '-c', `${plant}; echo done > done; exec sleep 600`]);
		await waitFor('the command', () => existsSync(scene.path('done')));
		const made = STEERING.filter((path) => existsSync(scene.path(path)));
		assert.deepEqual(made, [
			'CLAUDE.md',
			'sub/AGENTS.md',
			'.envrc',
			'.mcp.json',
			'.gitattributes',
			'sub/.vscode/tasks.json',
		]);
		assert.deepEqual((await instructions()).files, ['AGENTS.md']);
		await scene.commands.stop(commandId, null);
		await waitFor('its end', () => scene.sandbox.held().length === made.length);
		for (const sandbox of [scene.sandbox, other()]) {
			const { files, planted } = await instructions(sandbox);
			assert.deepEqual(files, ['AGENTS.md']);
			assert.deepEqual(planted.sort(), made.map((path) => `planted ${path}`).sort());
		}
		// The user saves one, removes another, and leaves the rest.
		writeFileSync(scene.path('CLAUDE.md'), 'checked');
		assert.deepEqual((await instructions()).files, ['AGENTS.md', 'CLAUDE.md']);
		assert.equal((await instructions(other())).planted.length, made.length - 1);
	});

	it('makes nothing in a repository that Git would act on, while it runs or after it, and Git works meanwhile', async () => {
		const git = (...args: string[]) => execFileSync('git', args, { cwd: scene.workspace, encoding: 'utf8' });
		const library = tempDir('library');
		const commit = ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m', 'one'];
		execFileSync('git', ['init', '--quiet'], { cwd: library });
		execFileSync('git', commit, { cwd: library });
		git('init', '--quiet');
		git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
		git('config', 'extensions.worktreeConfig', 'true');
		const folders = ['.git', '.git/modules/lib'];
		for (const folder of folders) rmSync(scene.path(`${folder}/hooks`), { recursive: true });
		scene.write('evil/config', '[core]\n\tfsmonitor = touch canary\n');
		const names = ['commondir', 'config.worktree', 'hooks/post-index-change'];
		const plants = folders.flatMap((folder) => names.map((name) => `${folder}/${name}`));
		const script = `for each in ${plants.join(' ')}; do cp evil/config $each; ln -sf ../evil/config $each; mv evil/config $each; done; echo done > done`;
		const { commandId } = await scene.start(['sh', '-c', `${script}; exec sleep 600`]);
		await waitFor('the command', () => existsSync(scene.path('done')));
		assert.match(git('status', '--short'), /\?\? evil\//);
		git(...commit);
		await scene.commands.stop(commandId, null);
		for (const path of plants) assert.equal(existsSync(scene.path(path)), false, path);
		for (const folder of folders) assert.equal(existsSync(scene.path(`${folder}/hooks`)), false, folder);
		assert.match(git('log', '--oneline'), /one/);
	});

	it('leaves what Git writes there for the user meanwhile', async () => {
		const git = (...args: string[]) => execFileSync('git', args, { cwd: scene.workspace, encoding: 'utf8' });
		git('init', '--quiet');
		rmSync(scene.path('.git/hooks'), { recursive: true });
		const { commandId } = await scene.start(['sleep', '600']);
		await waitFor('the placeholder', () => existsSync(scene.path('.git/hooks')));
		git('sparse-checkout', 'set', 'src');
		writeFileSync(scene.path('.git/hooks/pre-push'), 'mine');
		await scene.commands.stop(commandId, null);
		assert.match(readFileSync(scene.path('.git/config.worktree'), 'utf8'), /sparseCheckout/);
		assert.equal(readFileSync(scene.path('.git/hooks/pre-push'), 'utf8'), 'mine');
		assert.equal(existsSync(scene.path('.git/commondir')), false);
	});

	it("makes none that another command could pass off as the user's: moved with its folder, or touched by another name", async () => {
		scene.write('target/x.o', '1');
		const plants = [
			'mkdir far && echo POISON > far/AGENTS.md',
			'echo POISON > CLAUDE.md && ln CLAUDE.md target/second',
			'echo POISON > GEMINI.md && ln GEMINI.md target/third',
		];
		const { commandId } = await scene.start(['sh', '-c', `${plants.join('; ')}; exec sleep 600`]);
		await waitFor('the files', () => existsSync(scene.path('target/third')));
		await scene.commands.stop(commandId, null);
		await waitFor('its end', () => scene.sandbox.held().length === 3);
		await scene.run(['sh', '-c', 'mv far sub; echo MORE >> target/second; rm target/third']);
		assert.equal(existsSync(scene.path('sub/AGENTS.md')), true);
		for (const sandbox of [scene.sandbox, other()]) {
			const { files, planted } = await instructions(sandbox);
			assert.deepEqual(files, []);
			assert.deepEqual(planted.sort(), ['planted CLAUDE.md', 'planted GEMINI.md', 'planted sub/AGENTS.md']);
		}
		writeFileSync(scene.path('sub/AGENTS.md'), 'checked');
		assert.deepEqual((await instructions()).files, ['sub/AGENTS.md']);
	});

	it('makes none that count after its host was killed, and the user says yes by saving them', async () => {
		const program = specProgram(join(import.meta.dirname, 'sandboxed-host-program.ts'));
		scene.write('GEMINI.md', 'mine');
		const held = { workspace: scene.workspace, home: scene.prowessHome, isBackground: true };
		const script = 'echo POISON > CLAUDE.md; mkdir sub; echo POISON > sub/AGENTS.md; echo done > done; exec sleep 600';
		const host = spawn(process.execPath, [program, JSON.stringify({ ...held, script })], { stdio: 'inherit' });
		await waitFor('the command', () => existsSync(scene.path('done')));
		const ended = once(host, 'exit');
		host.kill('SIGKILL');
		await ended;
		const sandbox = other();
		const { files, planted } = await instructions(sandbox);
		assert.deepEqual([files, planted.sort()], [['GEMINI.md'], ['planted CLAUDE.md', 'planted sub/AGENTS.md']]);
		writeFileSync(scene.path('CLAUDE.md'), 'checked');
		assert.deepEqual((await instructions(sandbox)).files, ['CLAUDE.md', 'GEMINI.md']);
		assert.deepEqual((await instructions(other())).planted, ['planted sub/AGENTS.md']);
	});

	it('does not keep what the user writes in the editor meanwhile from being followed', async () => {
		mkdirSync(scene.path('sub'));
		const { commandId } = await scene.start(['sleep', '600']);
		scene.sandbox.expect(scene.path('CLAUDE.md'));
		scene.write('CLAUDE.md', 'by the user');
		assert.deepEqual(await instructions(), { files: ['CLAUDE.md'], planted: [] });
		await scene.commands.stop(commandId, null);
		assert.deepEqual(await instructions(), { files: ['CLAUDE.md'], planted: [] });
		assert.equal(readFileSync(scene.path('CLAUDE.md'), 'utf8'), 'by the user');
	});
});
