/** Commands that only read, through the broker of a host that asks: with the sandbox, and without one. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bubblewrapCandidates } from '../../../src/machine/sandbox/sandbox.ts';
import type { OpOutcome } from '../../../src/protocol/turn/broker.ts';
import type { CommandState } from '../../../src/protocol/ops/definitions/commands/shell.ts';
import { bubblewrap, SandboxScene } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { useServedBases } from './served-base.ts';

/** Says no to everything, so that what runs ran without a question. */
const asked: string[] = [];
const person = {
	approve({ title }: { readonly title: string }) {
		asked.push(title);
		return Promise.resolve({ kind: 'deny' as const });
	},
};
const files = { 'a.txt': 'one\n', '.env': 'KEY=canary-in-env\n', 'src/b.ts': 'export {};\n' };

/** A repository with a change of an ordinary file and of a secret one. */
function makeRepository(folder: string): void {
	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: folder });
	git('init', '--quiet');
	git('add', '--force', '.');
	git('commit', '--quiet', '-m', 'Begin');
	writeFileSync(join(folder, 'a.txt'), 'two\n');
	writeFileSync(join(folder, '.env'), 'KEY=canary-of-now\n');
}

function outputOf(outcome: OpOutcome): string {
	return outcome.status === 'done' ? (outcome.result as CommandState).output : outcome.status;
}

for (const [where, path] of [
	['in the sandbox', bubblewrap],
	['without a sandbox', '/nowhere/bwrap'],
] as const) {
	describe(`A command that only reads, ${where}`, function () {
		this.timeout(30_000);
		const start = useServedBases();

		before(function () {
			if (path === undefined) this.skip();
		});

		const open = async (more: Parameters<typeof start>[0] = {}) => {
			asked.length = 0;
			const settings = { 'prowess.tools.bubblewrapPath': path ?? '', ...more.settings };
			const base = await start({ approvalMode: 'ask', files, person, ...more, settings });
			makeRepository(base.host.ports.workspace.folders[0]?.path ?? '');
			return base;
		};

		it('runs without a question, and its card is told why', async () => {
			const { perform, progress } = await open();
			assert.match(outputOf(await perform('shell.run', { argv: ['git', 'status', '--short'] })), /M a\.txt/);
			const chain = [{ join: '|', argv: ['wc', '-l'] }];
			assert.equal(outputOf(await perform('shell.run', { argv: ['cat', 'a.txt'], chain })).trim(), '1');
			assert.ok(progress.some((each) => each.kind === 'running' && each.allowedBy?.kind === 'reads'));
			assert.deepEqual(asked, []);
		});

		it('hands on in a pipe what it wrote, also when it ends before the next program has started', async () => {
			const { perform } = await open();
			// The more programs start at the same time, the later the last of them does.
			const chain = [...Array.from({ length: 7 }, () => ['cat']), ['wc', '-l']].map((argv) => ({
				join: '|' as const,
				argv,
			}));
			for (let round = 0; round < 3; round++) {
				assert.equal(outputOf(await perform('shell.run', { argv: ['cat', 'a.txt'], chain })).trim(), '1');
			}
		});

		it('is asked at the level Manual, and where a rule wants to be asked', async () => {
			const isAsked = async (settings: NonNullable<Parameters<typeof start>[0]>['settings'] & object) => {
				const { perform } = await open({ settings });
				assert.equal((await perform('shell.run', { argv: ['ls'] })).status, 'denied');
				assert.equal(asked.length, 1);
			};
			await isAsked({ 'prowess.approvals.level': 'manual' });
			await isAsked({ 'prowess.approvals.ask': ['shell.run ls'] });
		});

		it('is asked when it wants to leave its sandbox, at the level Auto, too', async () => {
			for (const level of ['ask', 'auto'] as const) {
				const { perform } = await open({ settings: { 'prowess.approvals.level': level } });
				const outcome = await perform('shell.run', { argv: ['cat', 'a.txt'], needs: { noSandbox: true } });
				// Another bubblewrap may be installed where it usually is.
				const hasSandbox = bubblewrapCandidates(path ?? '').some((each) => existsSync(each));
				assert.equal(outcome.status, hasSandbox ? 'denied' : 'done');
				assert.equal(asked.length, hasSandbox ? 1 : 0);
			}
		});

		it('is asked about a secret file, a link out of the workspace, and a program of the project', async () => {
			const { perform, host } = await open();
			const workspace = host.ports.workspace.folders[0]?.path ?? '';
			execFileSync('ln', ['-s', '/etc/passwd', join(workspace, 'list.txt')]);
			for (const argv of [['cat', '.env'], ['cat', 'list.txt'], ['./ls'], ['git', 'diff', '--output=x']]) {
				assert.equal((await perform('shell.run', { argv })).status === 'done', false, argv.join(' '));
			}
		});

		it('starts no program that a repository names, and no hook', async () => {
			const { perform, host } = await open();
			const workspace = host.ports.workspace.folders[0]?.path ?? '';
			const fired = tempDir('fired');
			const plant = (name: string) => {
				const file = join(workspace, '.git', name);
				writeFileSync(file, `#!/bin/sh\ntouch ${join(fired, 'hook')} ${join(workspace, 'planted')}\ncat\n`);
				chmodSync(file, 0o755);
			};
			mkdirSync(join(workspace, '.git/hooks'), { recursive: true });
			plant('hooks/post-index-change');
			for (const argv of [
				['git', 'status'],
				['git', 'diff', '--stat'],
				['git', 'log', '--stat'],
			]) {
				assert.equal((await perform('shell.run', { argv })).status, 'done', argv.join(' '));
			}
			execFileSync('git', ['config', 'diff.x.textconv', 'id'], { cwd: workspace });
			assert.equal((await perform('shell.run', { argv: ['git', 'blame', 'a.txt'] })).status, 'denied');
			assert.deepEqual(readdirSync(fired), []);
			assert.equal(existsSync(join(workspace, 'planted')), false);
		});
	});
}

describe('What only reads, in the sandbox', function () {
	this.timeout(30_000);
	const start = useServedBases();

	before(function () {
		if (bubblewrap === undefined) this.skip();
	});

	it('shows changes whole, but nothing of a secret file, of now or of the past', async () => {
		asked.length = 0;
		const settings = { 'prowess.tools.bubblewrapPath': bubblewrap ?? '' };
		const { perform, host } = await start({ approvalMode: 'ask', files, person, settings });
		makeRepository(host.ports.workspace.folders[0]?.path ?? '');
		for (const line of ['git diff', 'git show HEAD', 'git log -p', 'git grep -n canary HEAD', 'grep -rn canary .']) {
			const output = outputOf(await perform('shell.run', { argv: line.split(' ') }));
			assert.doesNotMatch(output, /canary-|denied|failed/, line);
		}
		assert.match(outputOf(await perform('shell.run', { argv: ['git', 'diff'] })), /-one\n\+two/);
		assert.deepEqual(asked, []);
	});

	it('can change nothing, whatever the table says', async () => {
		const scene = new SandboxScene({ 'a.txt': 'one\n' });
		try {
			const { output } = await scene.sh('echo x > a.txt; echo x > b.txt; mkdir .git', { onlyReads: true });
			assert.match(output, /Read-only file system/);
			assert.deepEqual(readdirSync(scene.workspace), ['a.txt']);
		} finally {
			await scene.close();
		}
	});
});
