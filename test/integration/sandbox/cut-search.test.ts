/** Tests leftovers of a command that has made more than is looked through: a limit that is reached makes nobody follow them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandSandbox } from '../../../src/machine/sandbox/command-sandbox.ts';
import { CLOCK_STEP_MS, GUARDED_PLACES, HELD_FILES } from '../../../src/machine/sandbox/limits.ts';
import { WorkspacePaths } from '../../../src/machine/paths/workspace-paths.ts';
import { bubblewrap, eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workspaceOnDisk } from '../../support/workspace-on-disk.ts';

const DECOYS = `for i in $(seq 1 ${GUARDED_PLACES + 20}); do echo x > $i.pem; done`;

describe('A command that makes more than is looked through', function () {
	this.timeout(60_000);
	let scene: SandboxScene;
	eachWithScene((made) => (scene = made));

	async function followed(touched: string, sandbox = scene.sandbox) {
		const paths = new WorkspacePaths({ folders: [{ name: 'app', path: scene.workspace }] });
		const disk = await workspaceOnDisk({}, { paths, wall: sandbox });
		const told = await disk.perform('workspace.instructions', { touched: [touched], told: [], again: [] });
		await disk.close();
		return told.files.map(({ path }) => path);
	}

	it('leaves no file that steers, however many it has made', async () => {
		const { kept = [] } = await scene.sh(
			`for i in $(seq 1 ${GUARDED_PLACES + 20}); do mkdir d$i; echo POISON > d$i/CLAUDE.md; done`,
		);
		const left = readdirSync(scene.workspace).filter((name) => existsSync(join(scene.workspace, name, 'CLAUDE.md')));
		assert.deepEqual([left, kept.length], [[], GUARDED_PLACES + 20]);
		assert.equal(scene.sandbox.hidesSecrets(), true);
	});

	it('has nobody follow what it hid behind files that look secret, and what the user saves afterwards counts', async () => {
		scene.write('AGENTS.md', 'mine');
		const { kept = [] } = await scene.sh(`${DECOYS}; mkdir z; echo POISON > z/CLAUDE.md`);
		assert.match(kept.join('\n'), /not all found\. Nobody here follows such files that the user has not saved/);
		assert.equal(existsSync(scene.path('z/CLAUDE.md')), true);
		const next = new CommandSandbox({
			home: scene.prowessHome,
			folders: () => [scene.workspace],
			bubblewrapCandidates: () => [bubblewrap ?? ''],
		});
		for (const sandbox of [scene.sandbox, next]) assert.deepEqual(await followed('z/a.ts', sandbox), ['AGENTS.md']);
		// A further command makes nothing the user's own.
		await scene.sh('touch z/CLAUDE.md');
		assert.deepEqual(await followed('z/a.ts'), ['AGENTS.md']);
		execFileSync('sh', ['-c', 'rm *.pem'], { cwd: scene.workspace });
		await scene.sh('true');
		assert.deepEqual(scene.sandbox.held(), [scene.path('z/CLAUDE.md')]);
		assert.deepEqual(await followed('z/a.ts'), ['AGENTS.md']);
		writeFileSync(scene.path('z/CLAUDE.md'), 'checked');
		assert.deepEqual(await followed('z/a.ts'), ['AGENTS.md', 'z/CLAUDE.md']);
	});

	it('has nobody follow what a later command changed of the files that were there, and all others', async () => {
		scene.write('AGENTS.md', 'mine');
		for (const path of ['y/CLAUDE.md', 'z/CLAUDE.md', 'w/CLAUDE.md']) scene.write(path, path);
		await scene.sh(DECOYS);
		const all = async () => [
			...(await followed('w/a.ts')),
			...(await followed('y/a.ts')),
			...(await followed('z/a.ts')),
		];
		const whole = ['AGENTS.md', 'w/CLAUDE.md', 'AGENTS.md', 'y/CLAUDE.md', 'AGENTS.md', 'z/CLAUDE.md'];
		assert.deepEqual(await all(), whole);
		await scene.sh('echo POISON > z/CLAUDE.md; mkdir x; echo POISON > x/CLAUDE.md; mv w v; mv x w');
		assert.equal(readFileSync(scene.path('w/CLAUDE.md'), 'utf8'), 'POISON\n');
		await scene.sh('true');
		assert.deepEqual(await all(), ['AGENTS.md', 'AGENTS.md', 'y/CLAUDE.md', 'AGENTS.md']);
	});

	it('lets what the user writes count while it is not all looked through', async () => {
		await scene.sh(DECOYS);
		const ended = Date.now();
		await waitFor('the next step of the clock of the disk', () => Date.now() > ended + 2 * CLOCK_STEP_MS);
		scene.write('CLAUDE.md', 'mine');
		assert.deepEqual(await followed('a.ts'), ['CLAUDE.md']);
	});

	it('has nobody follow the last of very many files in a folder that steers, made in the background', async () => {
		const many = `mkdir -p sub/.cursor/rules && cd sub/.cursor/rules && for i in $(seq 1 ${HELD_FILES + 5}); do echo x > $i.mdc; done`;
		await scene.start(['sh', '-c', many]);
		await waitFor('its end', () => scene.sandbox.held().length >= HELD_FILES);
		const all = readdirSync(scene.path('sub/.cursor/rules'));
		const free = all.filter((name) => !scene.sandbox.isHeld(scene.path(`sub/.cursor/rules/${name}`)));
		assert.deepEqual([all.length, free], [HELD_FILES + 5, []]);
	});
});
