/** Jobs that one home adds and `prowess serve` of another home carries out, over a real PostgreSQL, in real processes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stop } from 'esbuild';
import { PgBoss } from 'pg-boss';
import { buildTeamPackage } from '../../../scripts/build/team-package.ts';
import { backgroundWorkLimits } from '../../../src/cli/background/limits.ts';
import type { JobRecord } from '../../../src/contract/ports/work-port.ts';
import { PromptResult } from '../../../src/protocol/jobs.ts';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, type RunningCli, User } from './cli-process.ts';

const root = join(import.meta.dirname, '../../..');

describe('soak: the jobs of a team', function () {
	this.timeout(3 * commandLimitMs);
	let server: PostgresServer;
	let packed: string;
	let member: User;
	let worker: User;
	let models: ModelServer;
	let serving: RunningCli | undefined;
	let next: ScriptEntry[];

	before(async () => {
		packed = tempDir('team-package');
		[server] = await Promise.all([startPostgres(), buildTeamPackage(root, packed)]);
		const made = await new User().runs(['team', 'init', server.url, '--package', packed]);
		assert.equal(made.code, 0, made.stderr);
		const boss = new PgBoss({ connectionString: server.url, schema: 'prowess', supervise: false, schedule: false });
		await boss.start();
		await boss.getDb().executeSql(`
			CREATE ROLE ann LOGIN IN ROLE prowess_member;
			CREATE ROLE wes LOGIN IN ROLE prowess_worker;
		`);
		await boss.stop({ graceful: false });
	});
	after(async () => {
		await stop();
		await server.stop();
	});
	beforeEach(async () => {
		next = [];
		models = await startModelServer(() => next.shift() ?? { text: 'Done.' });
		[member, worker] = [new User(), new User()];
		member.writes('a.txt', 'one\n');
		for (const args of [
			['init', '--quiet'],
			['add', '-A'],
			['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'first'],
		]) {
			execFileSync('git', args, { cwd: member.workspace, env: member.environment });
		}
		for (const user of [member, worker]) {
			user.sets();
			writeFileSync(join(user.home, 'trust.json'), JSON.stringify({ version: 1, folders: [member.workspace] }));
		}
		await joins(member, 'ann', 'member');
		await joins(worker, 'wes', 'worker');
	});
	afterEach(async () => {
		serving?.child.kill('SIGTERM');
		await serving?.ended;
		serving = undefined;
		await models.close();
	});

	async function joins(user: User, name: string, as: string): Promise<void> {
		const url = server.url.replace('owner@', `${name}@`);
		const { code, stderr } = await user.runs(['team', 'join', url, '--as', as, '--package', packed]);
		assert.equal(code, 0, stderr);
	}
	async function adds(...words: string[]): Promise<string> {
		const { code, stdout, stderr } = await member.runs(['work', 'add', ...words]);
		assert.equal(code, 0, stderr);
		// Others carry it out: that nobody serves in this home is no news.
		assert.equal(stderr, '');
		return stdout.trim();
	}
	async function serves(user: User): Promise<RunningCli> {
		const model = ['--provider', 'openai-compatible', '--base-url', models.baseUrl, '--model', 'm'];
		serving = user.starts(['serve', ...model]);
		await waitFor('it serves', () => serving?.stderr.includes('works in the background') === true, commandLimitMs);
		return serving;
	}
	async function follows(id: string): Promise<JobRecord> {
		const { stdout, stderr } = await member.runs(['work', 'follow', id, '--json']);
		assert.equal(stderr, '');
		return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as JobRecord;
	}

	it('are carried out by a worker with another home, at the rights of that home', async () => {
		const write = { toolCalls: [{ name: 'fs_write', input: { path: 'n.txt', content: 'two\n' } }] };
		next = [write];
		const id = await adds('Write n.txt');
		await serves(worker);
		// At the level of the worker's home this write is a question. The person of the job answers it from their own.
		assert.equal((await follows(id)).state, 'parked');
		assert.match((await member.runs(['team', 'status'])).stdout, /Open questions: 1\n/);
		next = [write, { text: 'Changed.' }];
		const nobodyWorks = async () => (await member.runs(['team', 'status'])).stdout.endsWith('No workers.\n');
		await waitFor('the end of the process that has parked it', nobodyWorks, commandLimitMs);
		const answeredAt = performance.now();
		assert.equal((await member.runs(['work', 'answer', id, 'yes'])).code, 0);
		const job = await follows(id);
		assert.equal(job.state, 'done', job.reason);
		const tookMs = performance.now() - answeredAt;
		assert.ok(tookMs < backgroundWorkLimits.lookMs / 2, `${tookMs} ms from the answer to the end of the job`);
		assert.equal(job.group, 'ann');
		const { worktree } = PromptResult.parse(job.result);
		const shown = await worker.runs(['worktree', 'show', worktree, '--path'], { cwd: member.workspace });
		assert.equal(readFileSync(join(shown.stdout.trim(), 'n.txt'), 'utf8'), 'two\n');
		assert.match((await worker.runs(['ledger', 'list', '--all', '--json', '--text', id])).stdout, /intent|note/);
	});

	describe('that are scripts, whose worker is killed in a step', () => {
		let id: string;
		/** Effects of a step that the worker's machine has seen. */
		const effects = (of: User, name: string) => {
			const folder = join(of.home, 'worktrees');
			const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true, recursive: true }) : [];
			const found = entries.find((entry) => entry.name === name);
			return found && readFileSync(join(found.parentPath, name), 'utf8');
		};
		const step = (name: string, file: string, rest: string) =>
			`  - { id: ${name}, op: shell.run, with: { argv: [sh, -c, "echo once >> ${file}${rest}"] } }`;

		beforeEach(async () => {
			worker.sets({ 'prowess.approvals.level': 'auto' });
			const steps = [
				step('first', 'one.txt', ''),
				step('slow', 'two.txt', '; sleep 60'),
				step('last', 'three.txt', ''),
			];
			member.writes('work.yaml', ['name: Work', 'steps:', ...steps].join('\n'));
			id = await adds('script', join(member.workspace, 'work.yaml'));
			await serves(worker);
			await waitFor('its effect', () => effects(worker, 'two.txt') === 'once\n', commandLimitMs);
			const { stdout } = await worker.runs(['serve', 'status', '--json']);
			const { working } = JSON.parse(stdout) as { readonly working: readonly { readonly pid: number }[] };
			serving?.child.kill('SIGKILL');
			process.kill(working[0]?.pid ?? assert.fail('nobody works'), 'SIGKILL');
			await serving?.ended;
		});

		it('ask there whether it took effect, and go on behind it', async () => {
			await serves(worker);
			const parked = await follows(id);
			assert.equal(parked.state, 'parked', parked.reason);
			const shown = (await member.runs(['work', 'show', id])).stdout;
			assert.match(shown, /over the step "slow"[^]*1\. It took effect/);
			assert.equal((await member.runs(['work', 'answer', id, '1'])).code, 0);
			const job = await follows(id);
			assert.equal(job.state, 'done', job.reason);
			for (const name of ['one.txt', 'two.txt', 'three.txt']) assert.equal(effects(worker, name), 'once\n', name);
			assert.equal(models.requests.length, 0);
		});

		it('are not begun again on another machine, where nobody knows what they have done', async () => {
			const other = new User();
			other.sets({ 'prowess.approvals.level': 'auto' });
			writeFileSync(join(other.home, 'trust.json'), JSON.stringify({ version: 1, folders: [member.workspace] }));
			await joins(other, 'wes', 'worker');
			await serves(other);
			const job = await follows(id);
			assert.equal(job.state, 'failed');
			assert.match(job.reason ?? '', /another machine has begun this script/);
			assert.equal(effects(worker, 'two.txt'), 'once\n');
			assert.equal(effects(other, 'one.txt'), undefined);
		});
	});

	it('wait while only members serve', async () => {
		const id = await adds('Work');
		const { stderr } = await serves(member);
		assert.doesNotMatch(stderr, /ACCESS_DENIED/);
		serving?.child.kill('SIGTERM');
		const { stderr: said } = (await serving?.ended) ?? assert.fail();
		assert.doesNotMatch(said, /ACCESS_DENIED|not available/);
		assert.equal(
			(JSON.parse((await member.runs(['work', 'show', id, '--json'])).stdout) as JobRecord).state,
			'waiting',
		);
	});
});
