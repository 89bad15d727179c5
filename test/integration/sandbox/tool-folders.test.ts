/** Folders that tools fill (`node_modules`, `target` …): what a command puts there is no way around the wall. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { CommandSandbox } from '../../../src/machine/sandbox/command-sandbox.ts';
import { WorkspacePaths } from '../../../src/machine/paths/workspace-paths.ts';
import { CommandRunner } from '../../../src/machine/shell/command-runner.ts';
import { bubblewrap, eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workspaceOnDisk } from '../../support/workspace-on-disk.ts';

describe('A folder that tools fill', function () {
	this.timeout(30_000);
	let scene: SandboxScene;
	eachWithScene((made) => (scene = made));

	/** Another host, with the home of the scene. */
	async function runInNextHost(script: string) {
		const sandbox = new CommandSandbox({
			home: scene.prowessHome,
			folders: () => [scene.workspace],
			bubblewrapCandidates: () => [bubblewrap ?? ''],
		});
		const commands = new CommandRunner({ PATH: process.env['PATH'], HOME: scene.userHome }, sandbox);
		try {
			return await commands.run(
				{
					steps: [{ join: ';', programs: [{ argv: ['sh', '-c', script], file: '/bin/sh' }] }],
					cwd: scene.workspace,
					timeoutMs: 20_000,
					threadId: null,
					isSandboxed: true,
					reach: { read: [], write: [] },
					mayWrite: true,
					onlyReads: false,
				},
				() => undefined,
				new AbortController().signal,
			);
		} finally {
			await commands.close();
		}
	}

	for (const to of ['target/app', 'node_modules/a/b/app', 'venv', 'target/node_modules']) {
		it(`opens no secret, and no instructions to change, that a command has moved to ${to}`, async () => {
			scene.write('packages/app/.env', 'KEY=canary');
			scene.write('packages/app/deep/AGENTS.md', 'mine');
			await scene.sh(`mkdir -p $(dirname ${to}) && mv packages/app ${to}`);
			assert.equal(existsSync(scene.path(`${to}/.env`)), true);
			const read = `cat ${to}/.env; echo evil >> ${to}/deep/AGENTS.md; mv ${to} back`;
			const later = await runInNextHost(`cat ${to}/.env`);
			const { output } = await scene.sh(read);
			assert.doesNotMatch(later.output + output, /canary/);
			assert.equal(readFileSync(scene.path('back/deep/AGENTS.md'), 'utf8'), 'mine');
			assert.doesNotMatch((await scene.sh('cat back/.env')).output, /canary/);
		});
	}

	it('opens none that a command in the background moves there', async () => {
		scene.write('packages/app/.env', 'KEY=canary');
		const { commandId } = await scene.start(['sh', '-c', 'mkdir target && mv packages/app target/app; exec sleep 600']);
		await waitFor('the move', () => existsSync(scene.path('target/app')));
		assert.doesNotMatch((await scene.sh('cat target/app/.env')).output, /canary/);
		await scene.commands.stop(commandId, null);
	});

	it('keeps no repository that a command made there, and no settings that it changed in one that was there', async () => {
		scene.write('.venv/src/lib/a.py', '');
		execFileSync('git', ['init', '--quiet'], { cwd: scene.path('.venv/src/lib') });
		const made = ['target', 'node_modules/a/b/c', 'node_modules/@s/p', '.venv/deep'];
		const { output } = await scene.sh(
			`for each in ${made.join(' ')}; do mkdir -p $each; git -C $each init --quiet; git -C $each config core.fsmonitor evil; done
			mkdir -p venv/bare && cd venv/bare && git init --quiet --bare . && cd ../..
			git -C .venv/src/lib config core.fsmonitor evil; git -C .venv/src/lib status --short`,
		);
		const places = [...made.map((folder) => `${folder}/.git`), 'venv/bare/HEAD'];
		await waitFor('their end', () => !places.some((path) => existsSync(scene.path(path))));
		const kept: string[] = [];
		await waitFor('word of it', async () => {
			kept.push(...((await scene.sh('true')).kept ?? []));
			return kept.length === places.length;
		});
		assert.equal(kept.filter((each) => /\/(?:\.git|HEAD) steers other programs/.test(each)).length, places.length);
		assert.doesNotMatch(readFileSync(scene.path('.venv/src/lib/.git/config'), 'utf8'), /evil/);
		assert.match(output, /\?\? a\.py/);
		assert.equal((await scene.sh('echo on')).output, 'on\n');
	});

	it('holds no instructions that anybody follows', async () => {
		const sandbox = scene.sandbox;
		scene.write('src/AGENTS.md', 'mine');
		await scene.sh('mkdir -p node_modules/x target; echo POISON | tee node_modules/x/AGENTS.md target/CLAUDE.md');
		const paths = new WorkspacePaths({ folders: [{ name: 'app', path: scene.workspace }] });
		const disk = await workspaceOnDisk({}, { paths, wall: sandbox });
		const touched = ['node_modules/x/index.js', 'target/report.txt', 'src/a.ts'];
		const told = await disk.perform('workspace.instructions', { touched, told: [], again: [] });
		await disk.close();
		assert.deepEqual(
			told.files.map(({ path }) => path),
			['src/AGENTS.md'],
		);
	});
});
