/** `prowess team …` against a real PostgreSQL, with the package as `npm run build` makes it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { stop } from 'esbuild';
import { PgBoss } from 'pg-boss';
import { buildTeamPackage } from '../../../scripts/build/team-package.ts';
import { JobWatch } from '../../../src/cli/jobs/job-watch.ts';
import { openWork } from '../../../src/cli/jobs/open-work.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type CliResult, User } from './cli-process.ts';

const root = join(import.meta.dirname, '../../..');
const password = 'sesame-7f3a';
const onProblem = (error: unknown) => assert.fail(String(error));
const never = new AbortController().signal;

describe('prowess team', () => {
	let server: PostgresServer;
	/** Folder of the package. */
	let packed: string;
	let user: User;
	const urlOf = (name: string) => server.url.replace('owner@', `${name}@`);

	before(async () => {
		packed = tempDir('team-package');
		[server] = await Promise.all([startPostgres(), buildTeamPackage(root, packed)]);
		const made = await new User().runs(['team', 'init', '--package', packed], { input: `${server.url}\n` });
		assert.equal(made.code, 0, made.stderr);
		// Everybody but the owner needs a password.
		const data = join(new URL(server.url.replace('owner@', 'owner@x')).searchParams.get('host') ?? '', 'data');
		writeFileSync(join(data, 'pg_hba.conf'), 'local all owner trust\nlocal all all scram-sha-256\n');
		await runAsOwner(`
			CREATE ROLE ann LOGIN PASSWORD '${password}' IN ROLE prowess_member;
			CREATE ROLE wes LOGIN PASSWORD '${password}' IN ROLE prowess_worker;
			CREATE ROLE eve LOGIN PASSWORD '${password}';
			SELECT pg_reload_conf();
		`);
	});
	after(async () => {
		// The builder's own process.
		await stop();
		await server.stop();
	});
	beforeEach(() => {
		user = new User();
	});

	async function runAsOwner(sql: string): Promise<void> {
		const boss = new PgBoss({ connectionString: server.url, schema: 'prowess', supervise: false, schedule: false });
		await boss.start();
		await boss.getDb().executeSql(sql);
		await boss.stop({ graceful: false });
	}

	async function joins(name: string, words: readonly string[] = ['--package', packed]): Promise<CliResult> {
		return await user.runs(['team', 'join', ...words], { input: urlOf(`${name}:${password}`) });
	}

	/** The error of a command that fails, and that nothing of the team is left in the home. */
	function failed(result: CliResult, message: RegExp): void {
		assert.equal(result.code, 1, result.stdout + result.stderr);
		assert.match(result.stderr, message);
		assert.doesNotMatch(result.stderr, new RegExp(password));
		const left = existsSync(join(user.home, 'team')) ? readdirSync(join(user.home, 'team')) : [];
		assert.deepEqual(left, []);
		assert.equal(existsSync(join(user.home, 'sign-ins.json')), false);
	}

	describe('refuses a package', () => {
		/** A copy of it that the spec may change. */
		function copied(): string {
			const copy = tempDir('package');
			cpSync(packed, copy, { recursive: true });
			return copy;
		}
		function changed(change: (manifest: Record<string, unknown>) => void): string {
			const copy = copied();
			const manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as Record<string, unknown>;
			change(manifest);
			writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest));
			return copy;
		}

		it('that is not there, or is none', async () => {
			failed(await joins('ann', ['--package', 'nowhere']), /nowhere: there is no package of a team/);
			failed(await joins('ann', ['--package', tempDir('empty')]), /package\.json cannot be read/);
			const other = changed((manifest) => delete manifest['prowess']);
			failed(await joins('ann', ['--package', other]), /is no package of a team of form 1: it says nothing/);
			writeFileSync(join(user.workspace, 'bad.tgz'), 'no archive');
			failed(await joins('ann', ['--package', 'bad.tgz']), /cannot be unpacked/);
		});

		it('that needs a newer Node, and says which', async () => {
			const newer = changed((manifest) => (manifest['engines'] = { node: '>=99.1.0' }));
			failed(await joins('ann', ['--package', newer]), /needs Node\.js >=99\.1\.0, this is \d+\./);
		});

		it('with another content than the user names, also of npm without one', async () => {
			const wrong = `sha512-${'A'.repeat(86)}==`;
			failed(
				await joins('ann', ['--package', packed, '--integrity', wrong]),
				/has the content sha512-.*, expected was/,
			);
			// A repository has a folder of that name.
			cpSync(packed, join(user.workspace, 'prowess-team@1.0.0'), { recursive: true });
			const npm = await joins('ann', ['--package', 'prowess-team@1.0.0']);
			assert.equal(npm.code, 2);
			assert.match(npm.stderr, /--integrity is required for prowess-team@1\.0\.0/);
		});

		it('that has changed since it was taken', async () => {
			const joined = await joins('ann');
			assert.equal(joined.code, 0, joined.stderr);
			const [program = ''] = readdirSync(join(user.home, 'team')).filter((name) => name.endsWith('.cjs'));
			appendFileSync(join(user.home, 'team', program), '\nprocess.exit(7);\n');
			const { code, stderr } = await user.runs(['team', 'status']);
			assert.equal(code, 1);
			assert.match(stderr, /is not the program that was taken with "prowess team join"/);
			await assert.rejects(openWork(user.home, onProblem), { code: 'INVALID_STATE' });
			writeFileSync(join(user.home, 'team', 'team.json'), '{}');
			assert.match((await user.runs(['team', 'status'])).stderr, /is damaged; to join again, run "prowess team leave"/);
			assert.equal((await user.runs(['team', 'leave'])).code, 0);
		});
	});

	describe('refuses an address', () => {
		it('without verified TLS, and does not show its password', async () => {
			const address = `postgres://ann:${password}@db.example/x?sslmode=disable`;
			failed(await user.runs(['team', 'join', address, '--package', packed]), /must be verify-full/);
		});

		it('where the server speaks no TLS', async () => {
			// PostgreSQL answers so to the wish for TLS where it has none.
			const plain = createServer((socket) => socket.on('data', () => socket.end('N')).on('error', () => {}));
			await once(plain.listen(0, '127.0.0.1'), 'listening');
			try {
				const address = `postgres://ann:${password}@127.0.0.1:${(plain.address() as AddressInfo).port}/x?sslmode=verify-full`;
				failed(await user.runs(['team', 'join', address, '--package', packed]), /does not support SSL/);
			} finally {
				plain.close();
				await once(plain, 'close');
			}
		});

		it('where nobody listens', async () => {
			const address = `postgres://ann:${password}@/postgres?host=/absent`;
			failed(await user.runs(['team', 'join', address, '--package', packed]), /database cannot be used: connect ENO/);
		});

		it('that is empty', async () => {
			const { code, stderr } = await user.runs(['team', 'join', '--package', packed], { input: '\n' });
			assert.equal(code, 2);
			assert.match(stderr, /address of the database is empty/);
		});
	});

	it('lets nobody join with a wrong password, without a part, or as more than they are', async () => {
		const wrong = await user.runs(['team', 'join', '--package', packed], { input: urlOf('ann:wrong') });
		failed(wrong, /password authentication failed for user "ann"/);
		failed(await joins('eve'), /permission denied/);
		failed(await joins('ann', ['--package', packed, '--as', 'worker']), /ann may not join as worker/);
	});

	it('keeps the address with the sign-ins, shows it without its password, and leaves nothing behind', async () => {
		const joined = await joins('ann');
		assert.equal(joined.code, 0, joined.stderr);
		assert.match(joined.stderr, /Joined the team in postgres:\/\/ann@.* as member, with prowess-team/);
		const again = await joins('ann');
		assert.match(again.stderr, /has joined the team in postgres:\/\/ann@.*; leave it first/);
		const { stdout } = await user.runs(['team', 'status', '--json']);
		const { person, parts, jobs } = JSON.parse(stdout) as Record<string, unknown>;
		assert.deepEqual([person, parts], ['ann', ['member']]);
		assert.deepEqual(Object.keys(jobs ?? {}), ['waiting', 'working', 'parked', 'done', 'failed', 'cancelled']);
		assert.match((await user.runs(['team', 'status'])).stdout, /Open questions: 0\nNo workers\.\n$/);
		const kept = filesBelow(user.home).filter((path) => readFileSync(path, 'utf8').includes(password));
		assert.deepEqual(kept, [join(user.home, 'sign-ins.json')]);
		assert.equal(statSync(kept[0] ?? '').mode & 0o077, 0);
		for (const said of [joined.stderr, again.stderr, stdout]) assert.doesNotMatch(said, new RegExp(password));
		assert.equal((await user.runs(['team', 'leave'])).code, 0);
		assert.equal(existsSync(join(user.home, 'team')), false);
		assert.doesNotMatch(readFileSync(join(user.home, 'sign-ins.json'), 'utf8'), new RegExp(password));
		failedWithoutTeam(await user.runs(['team', 'status']));
		failedWithoutTeam(await user.runs(['team', 'leave']));
	});

	it('hands jobs that one home adds to the worker in another, with a package from an archive', async () => {
		const archive = join(user.workspace, 'team.tgz');
		execFileSync('tar', ['-czf', archive, '-C', dirname(packed), basename(packed)]);
		const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
		const joined = await joins('ann', ['--package', archive, '--integrity', integrity]);
		assert.equal(joined.code, 0, joined.stderr);
		const member = await openWork(user.home, onProblem);
		user = new User();
		assert.equal((await joins('wes', ['--package', packed, '--as', 'worker'])).code, 0);
		const worker = await openWork(user.home, onProblem);
		try {
			const done = Promise.withResolvers<unknown>();
			const offer = { kinds: ['errand'], labels: [], mostAtOnce: 1, mostOfGroup: 1 };
			await member.enqueue([{ kind: 'errand', key: 'a', payload: { of: 'ann' } }], never);
			worker.take(offer, async ({ payload }) => {
				done.resolve(payload);
				return { state: 'done', result: 'ok' };
			});
			assert.deepEqual(await done.promise, { of: 'ann' });
			const { stdout } = await user.runs(['team', 'status']);
			assert.match(stdout, /as worker \(wes\)/);
			assert.match(stdout, new RegExp(`process ${process.pid}, last heard of \\d+ s ago`));
		} finally {
			await Promise.all([member.dispose(), worker.dispose()]);
		}
	});

	it('tells a worker of jobs as they come, and a home of members or of no team of none', async () => {
		const folder = user.workspace;
		let news = 0;
		const watch = new JobWatch({ home: user.home, labels: [], onNews: () => (news += 1) });
		const member = new User();
		try {
			assert.deepEqual(await watch.findFolders(never), []);
			assert.equal((await joins('ann')).code, 0);
			assert.deepEqual(await watch.findFolders(never), []);
			assert.equal((await user.runs(['team', 'leave'])).code, 0);
			assert.equal((await joins('wes', ['--package', packed, '--as', 'worker'])).code, 0);
			assert.deepEqual(await watch.findFolders(never), []);
			assert.equal(news, 0);
			const joined = await member.runs(['team', 'join', urlOf(`ann:${password}`), '--package', packed]);
			assert.equal(joined.code, 0, joined.stderr);
			const added = await member.runs(['work', 'add', 'Work', '--workspace', folder, '--trust']);
			assert.equal(added.code, 0, added.stderr);
			await waitFor('news', () => news > 0);
			assert.deepEqual(await watch.findFolders(never), [folder]);
		} finally {
			await watch.dispose();
		}
	});

	it('may be made again, and says so when there is no right to', async () => {
		const again = await user.runs(['team', 'init', '--package', packed], { input: server.url });
		assert.equal(again.code, 0, again.stderr);
		failed(await user.runs(['team', 'init', urlOf(`eve:${password}`), '--package', packed]), /permission denied/);
	});

	it('says that its database is away, within its limit', async () => {
		assert.equal((await joins('ann')).code, 0);
		const file = join(user.home, 'sign-ins.json');
		writeFileSync(file, readFileSync(file, 'utf8').replace(/host=[^"]*/, 'host=/away'));
		const { code, stderr } = await user.runs(['team', 'status']);
		assert.equal(code, 1);
		assert.match(stderr, /database cannot be used: connect EN/);
	});
});

function failedWithoutTeam({ code, stderr }: CliResult): void {
	assert.equal(code, 1);
	assert.match(stderr, /home has joined no team; join one with "prowess team join"/);
}

function filesBelow(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}
