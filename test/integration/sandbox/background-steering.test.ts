/** Files that a command in the background makes steer nobody before the user has said so, neither while it runs nor after it. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandSandbox } from '../../../src/machine/sandbox/command-sandbox.ts';
import { WorkspacePaths } from '../../../src/machine/paths/workspace-paths.ts';
import { bubblewrap, eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workspaceOnDisk } from '../../support/workspace-on-disk.ts';

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
