/** The CLI on machines that are not like the one it was written on. */
import assert from 'node:assert/strict';
import {
	chmodSync,
	chownSync,
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, type CliOptions, eventsOf, User } from './cli-process.ts';

const work = [
	{ toolCalls: [{ name: 'fs_write', input: { path: 'größe 📏.txt', content: 'eins\nzwei\n' } }] },
	{
		toolCalls: [
			{ name: 'search_text', input: { query: 'zwei' } },
			{ name: 'fs_find', input: { pattern: '**/*.txt' } },
		],
	},
	{
		toolCalls: [
			{ name: 'shell_run', input: { argv: ['node', '-p', '6*7'] } },
			{ name: 'git_status', input: {} },
		],
	},
	{ text: 'Fertig ✓.' },
];

describe('prowess: machines', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer;
	beforeEach(async () => {
		server = await startModelServer(work);
	});
	afterEach(async () => {
		await server.close();
	});

	/** Runs the script above; returns what the model read as the result of each call, by tool. */
	async function works(user: User, options: CliOptions = {}): Promise<Record<string, string>> {
		const result = await user.promptsApart(server.baseUrl, 'arbeite', ['--approve', 'full', '--json'], options).ended;
		assert.equal(result.code, 0, result.stderr + result.stdout.slice(-2_000));
		assert.equal(readFileSync(join(user.workspace, 'größe 📏.txt'), 'utf8'), 'eins\nzwei\n');
		const states: Record<string, string> = {};
		const tools = new Map<string, string>();
		for (const event of eventsOf(result)) {
			if (event.type === 'item.start' && event.item.kind === 'tool') {
				tools.set(event.item.id, event.item.tool);
				states[event.item.tool] = event.item.status;
			} else if (event.type === 'item.tool') {
				const tool = tools.get(event.itemId) ?? '';
				states[tool] = event.patch.error?.code ?? event.patch.status ?? states[tool] ?? '';
			}
		}
		const { code, stdout } = await user.runs(['ledger', 'verify']);
		assert.equal(code, 0, stdout);
		return states;
	}
	const everything = {
		fs_write: 'done',
		search_text: 'done',
		fs_find: 'done',
		shell_run: 'done',
		git_status: 'NO_REPOSITORY',
	};

	it('works below names with spaces, quotes, emoji, and what means something in an address (R-46, R-51)', async () => {
		const user = new User({ home: `Ann's "home" 🏠 ü ?x=1#y %41`, workspace: `my 'work' 🛠 $HOME ?a#b %20` });
		assert.deepEqual(await works(user), everything);
	});

	it('works with LANG=C and no home but its own (R-51)', async () => {
		assert.deepEqual(await works(new User(), { env: { LANG: 'C', LC_ALL: 'C', HOME: '/nonexistent' } }), everything);
	});

	it('works with umask 077, and keeps its files from others with umask 000', async () => {
		const strict = new User();
		assert.deepEqual(await works(strict, { through: ['sh', '-c', 'umask 077; exec "$0" "$@"'] }), everything);
		await server.close();
		server = await startModelServer(work);
		const lax = new User();
		await works(lax, { through: ['sh', '-c', 'umask 000; exec "$0" "$@"'] });
		assert.equal(statSync(lax.home).mode & 0o777, 0o700);
		assert.equal(statSync(join(lax.home, 'trust.json')).mode & 0o077, 0);
	});

	it('works without ripgrep and without git on the PATH, and says of git that it is missing', async () => {
		const user = new User();
		const bin = join(user.root, 'bin');
		mkdirSync(bin);
		symlinkSync(process.execPath, join(bin, 'node'));
		const states = await works(user, { env: { PATH: bin } });
		assert.deepEqual({ ...states, git_status: '' }, { ...everything, git_status: '' });
		assert.notEqual(states['git_status'], 'done');
		const { code, stdout } = await user.runsApart(['doctor'], { env: { PATH: bin } });
		assert.equal(code, 0, stdout);
		assert.match(stdout, /missing {2}ripgrep .*\nmissing {2}git /);
	});

	it('is told by the doctor which of its rules allow nothing, and why', async () => {
		const user = new User();
		mkdirSync(user.home, { recursive: true });
		const settings = { 'prowess.approvals.allow': ['fs.* out/**'] };
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
		const { stdout } = await user.runs(['doctor']);
		assert.match(stdout, /Rules +prowess\.approvals\.allow: "fs\.\* out\/\*\*" is ignored: .*names one op/);
	});

	it('is shown by the doctor that nothing gets out of the sandbox, and what it holds', async function () {
		const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';
		if (!existsSync(bubblewrap)) this.skip();
		const user = new User();
		mkdirSync(user.home, { recursive: true });
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify({ 'prowess.tools.bubblewrapPath': bubblewrap }));
		const { stdout } = await user.runsApart(['doctor']);
		const tries = 'reading a file outside, writing a file outside, seeing your processes, connecting to a port';
		assert.match(stdout, new RegExp(`ok +Sandbox .*was kept from ${tries}`));
		assert.match(
			stdout,
			/writable: the workspace, .*\n +read-only: the rest of the machine.*\n +hidden: .*secret files/,
		);
		assert.deepEqual(readdirSync(join(user.home, 'sandbox/commands')), []);
	});

	it('is told by the doctor which package has the sandbox, where there is none', async function () {
		if (existsSync('/usr/bin/bwrap')) this.skip();
		const user = new User();
		mkdirSync(user.home, { recursive: true });
		const nowhere = join(user.root, 'no-bubblewrap');
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify({ 'prowess.tools.bubblewrapPath': nowhere }));
		const { stdout } = await user.runs(['doctor']);
		assert.match(stdout, /missing +Sandbox +.*(?:Install the package "bubblewrap"|on this system)/);
	});

	it('takes no program from the workspace for one on the PATH', async () => {
		const user = new User();
		for (const name of ['rg', 'git', 'node']) {
			user.writes(name, '#!/bin/sh\ntouch was-run\n');
			writeFileSync(join(user.workspace, name), '#!/bin/sh\ntouch was-run\n', { mode: 0o755 });
		}
		await works(user, { env: { PATH: `.::${dirname(process.execPath)}:/usr/bin:/bin` } });
		assert.throws(() => statSync(join(user.workspace, 'was-run')), { code: 'ENOENT' });
	});

	it('works with few file descriptors (R-52)', async () => {
		const states = await works(new User(), { through: ['sh', '-c', 'ulimit -n 64; exec "$0" "$@"'] });
		assert.deepEqual(states, everything);
	});

	it('says how to raise the limit where it may open too few files (R-52)', async () => {
		for (const count of [24, 32, 40]) {
			const user = new User();
			const through = ['sh', '-c', `ulimit -n ${count}; exec "$0" "$@"`];
			const { code, stderr } = await user.runsApart(['run', 'x', '--trust', '--provider', 'tour'], { through });
			assert.equal(code, 1, stderr);
			assert.match(stderr, /^prowess needs to open .* more files.* ulimit -n 1024\n$/);
		}
	});

	it('works for a user whom the system does not list and who has no HOME, with a sandbox as for others', async function () {
		if (process.getuid?.() !== 0 || process.platform !== 'linux') this.skip();
		const user = new User();
		user.sets();
		for (const path of [user.root, user.workspace, dirname(user.home), user.home]) chownSync(path, 54_321, 54_321);
		chownSync(join(user.home, 'settings.json'), 54_321, 54_321);
		// The runner keeps its folder to itself.
		const above = dirname(user.root);
		if ((statSync(above).mode & 0o001) === 0) chmodSync(above, 0o711);
		const as = ['setpriv', '--reuid', '54321', '--regid', '54321', '--clear-groups', 'env', '-u', 'HOME'];
		const { code, stdout, stderr } = await user.runsApart(['doctor'], { through: as });
		assert.equal(code, 0, stderr);
		assert.match(stdout, /^ok +Sandbox /m);
	});

	it('shows what is kept in its home also from a folder that is gone', async () => {
		const user = new User();
		const through = ['sh', '-c', 'mkdir gone && cd gone && rmdir "$PWD" && exec "$0" "$@"'];
		const { code, stdout, stderr } = await user.runsApart(['thread', 'list', '--json'], { through });
		assert.deepEqual([code, stdout.trim()], [0, '[]'], stderr);
	});

	it('says what to do when the folder for temporary files is missing (R-52)', async () => {
		const user = new User();
		const env = { TMPDIR: join(user.root, 'missing') };
		const run = await user.runsApart(['capability', 'run', 'todo-report', '--trust', '--approve', 'auto'], { env });
		assert.equal(run.code, 1);
		assert.match(run.stderr + run.stdout, /folder for temporary files[^]*set TMPDIR to another one/);
		const { stdout } = await user.runsApart(['doctor'], { env });
		assert.match(stdout, /^missing {2}Temporary .*set TMPDIR to another folder$/m);
		assert.match(stdout, /^ok {7}git/m);
	});

	it('takes little memory for what is used for a moment only', async () => {
		const user = new User();
		const program = join(user.root, 'young-generation.cjs');
		writeFileSync(
			program,
			`const { getHeapSpaceStatistics: spaces } = require('node:v8');
			const young = () => spaces().find(({ space_name }) => space_name === 'new_space').space_size;
			process.once('exit', () => process.stderr.write('young generation: ' + young() + '\\n'));`,
		);
		const { stderr } = await user.promptsApart(server.baseUrl, 'go', [], {
			env: { NODE_OPTIONS: `--require ${program}` },
		}).ended;
		// The engine begins with two halves of 1 MB and would let them grow to 16 MB each.
		assert.ok(Number(/young generation: (\d+)/.exec(stderr)?.[1]) <= 4 * 1_048_576, stderr);
	});

	it('keeps its compiled code to its user, whatever the umask', async () => {
		const user = new User();
		mkdirSync(join(user.home, 'cache'), { recursive: true });
		chmodSync(join(user.home, 'cache'), 0o777);
		await works(user, { through: ['sh', '-c', 'umask 000; exec "$0" "$@"'] });
		assert.equal(statSync(join(user.home, 'cache')).mode & 0o777, 0o700);
	});

	it('says what is wrong when its home cannot be written (R-46)', async () => {
		const user = new User();
		writeFileSync(user.home, 'a file where the folder should be');
		const { code, stderr } = await user.runsApart(['run', 'x', '--trust', '--provider', 'tour']);
		assert.equal(code, 1);
		assert.match(stderr, /\(STORE_UNAVAILABLE\)[^]*the folder of our state cannot be used/);
	});

	it('checks the machine, and fails when the endpoint it is asked to try is not there', async () => {
		const user = new User();
		const words = ['doctor', '--json', '--provider', 'openai-compatible', '--base-url', server.baseUrl];
		const good = await user.runsApart(words);
		const checks = JSON.parse(good.stdout) as { name: string; ok: boolean; needed: boolean }[];
		assert.equal(good.code, 0, good.stdout);
		for (const name of ['Node', 'SQLite', 'Home', 'Ledger', 'Server', 'Models']) {
			assert.equal(checks.find((check) => check.name === name)?.ok, true, name);
		}
		await server.close();
		const bad = await user.runsApart(words);
		assert.equal(bad.code, 1);
		assert.equal((JSON.parse(bad.stdout) as typeof checks).find(({ name }) => name === 'Models')?.ok, false);
	});
});

describe('prowess: the tour', function () {
	this.timeout(commandLimitMs);

	it('finds the failing test of the sample, mends it, and the tests pass', async () => {
		const user = new User();
		cpSync(join(import.meta.dirname, '../../../examples/sample'), user.workspace, { recursive: true });
		const test = { through: ['sh', '-c', 'exec "$0" --test'] };
		assert.notEqual((await user.runsApart([], test)).code, 0);
		const words = ['run', 'Find the failing test and fix it', '--trust', '--provider', 'tour', '--approve', 'full'];
		const { code, stdout, stderr } = await user.runsApart(words);
		assert.equal(code, 0, stderr + stdout);
		const after = await user.runsApart([], test);
		assert.equal(after.code, 0, after.stdout);
		assert.match((await user.runs(['ledger', 'list'])).stdout, /Done +Automatic: full +Edit src\/cart\.ts  thr_/);
		assert.equal((await user.runsApart(['ledger', 'verify'])).code, 0);
	});
});
