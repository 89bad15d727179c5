/** Goals from the command line: the real CLI, its server, a model server on this machine, and a kill at each step. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';
import { killAtEachVerdict } from './killed-goal.ts';

interface Listed {
	readonly id: string;
	readonly state: string;
	readonly threadId: string;
	readonly steps: readonly {
		readonly text: string;
		readonly state: string;
		readonly attempts: number;
		readonly reason: string | null;
	}[];
}

describe('prowess goal', function () {
	this.timeout(3 * commandLimitMs);
	let user: User;
	let server: ModelServer;
	beforeEach(() => {
		user = new User();
		user.writes('a.txt', 'alpha\n');
	});
	afterEach(async () => server.close());

	const list = async () => JSON.parse((await user.runs(['goal', 'list', '--json'])).stdout) as Listed[];
	const add = async (...steps: string[]) => {
		const words = steps.flatMap((step) => ['--step', step]);
		const { code, stdout, stderr } = await user.runs(['goal', 'add', 'Ship it', ...words]);
		assert.equal(code, 0, stderr);
		await user.runs(['run', '/help', '--trust']);
		return stdout.trim();
	};
	const model = () => ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'm'];
	const runs = (id: string) => user.starts(['goal', 'run', id, '--approve', 'edit', ...model()]);
	const writes = (n: number): ScriptEntry => ({
		toolCalls: [{ name: 'fs_write', input: { path: `step${n}.txt`, content: `${n}` } }],
	});

	const judges = (verdict: string, reason = ''): ScriptEntry => ({
		toolCalls: [{ name: 'goal_verdict', input: { verdict, reason } }],
	});
	const done = judges('done');
	const works = (n: number, text: string): ScriptEntry[] => [writes(n), done, { text }];

	it('run works on each step in one thread, in their order, and ends as done', async () => {
		server = await startModelServer([...works(1, 'One.'), ...works(2, 'Two.')]);
		const id = await add('Write step1.txt', 'Write step2.txt');
		const { code, stdout, stderr } = await runs(id).ended;
		assert.equal(code, 0, stderr);
		assert.match(stdout, /done, 2 of 2 done/);
		assert.match(stderr, /1\. \[running\] Write step1\.txt/);
		assert.match(server.requests[3]?.text ?? '', /1\. Write step1\.txt \(done\)/);
		const [goal] = await list();
		const shown = await user.runs(['thread', 'show', goal?.threadId ?? '']);
		assert.match(shown.stdout, /One\.[\s\S]*Two\./);
		assert.match((await user.runs(['ledger', 'list', '--op', 'goal.step'])).stdout, /Step 2, attempt 1/);
		assert.equal((await runs(id).ended).code, 0, 'a goal that is done stays done');
		assert.equal(server.requests.length, 6);
	});

	it('run goes on after a kill before the verdict of a step and after it, and repeats no effect', async () => {
		await killAtEachVerdict(1);
	});

	for (const [what, steps, script, code, shown] of [
		[
			'a step that its agent says is not done, and what depends on it does not begin',
			['Convert src/', 'Read it'],
			[judges('notDone', 'The folder is not there.'), { text: 'All is done.' }],
			1,
			/1\. \[not done\] Convert src\/: The folder is not there\.\s+2\. \[waiting\]/,
		],
		[
			'a step that needs the user',
			['Deploy it'],
			[judges('needsYou', 'Sign in first.'), { text: 'Sign in, please.' }],
			3,
			/needs you, 0 of 1 done[\s\S]*\[needs you\] Deploy it: Sign in first\./,
		],
		[
			'a step without a verdict, which is asked for once',
			['Think'],
			[{ text: 'Done!' }, { text: 'All of it is done!' }],
			1,
			/\[not done\] Think: The agent gave no verdict\./,
		],
		[
			'a lie about tests that did not run',
			['Run all tests'],
			[done, { text: 'All tests pass.' }, { text: 'All 14 tests pass.' }],
			1,
			/\[not done\] Run all tests: No test run is recorded\./,
		],
		[
			'a lie about tests that failed',
			['Run all tests'],
			[
				{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', '--test', 'bad.test.js'] } }] },
				done,
				{ text: 'They pass.' },
				{ text: 'They do.' },
			],
			1,
			/\[not done\] Run all tests: The last test run did not pass: node/,
		],
	] as const) {
		it(`run says so, with its exit code, of ${what}`, async () => {
			server = await startModelServer([...script]);
			user.writes('bad.test.js', 'process.exit(1);\n');
			const id = await add(...steps);
			const ended = await user.runs(['goal', 'run', id, '--approve', 'full', ...model()]);
			assert.deepEqual([ended.code, server.requests.length], [code, script.length], ended.stderr);
			assert.match(ended.stdout, shown);
		});
	}

	it('run, and until, show what a capability does in a step, in --json too', async () => {
		const starts: ScriptEntry = { toolCalls: [{ name: 'capability_start', input: { name: 'steady' } }] };
		server = await startModelServer([starts, { text: 'One.' }, starts, done, { text: 'Two.' }]);
		const skill = '.prowess/capabilities/skill/steady';
		const manifest =
			'name: steady\ntype: skill\nversion: 1.0.0\ndescription: is steady\npermissions: [workspace.write]\n';
		user.writes(`${skill}/capability.yaml`, manifest);
		user.writes(
			`${skill}/index.js`,
			"export async function execute(_, { host, progress }) { progress('half', 0.5); await host.fs.write({ path: 'b.txt', content: 'b' }); await host.fs.read({ path: 'none.txt' }).catch(() => {}); }",
		);
		user.writes('check.js', "require('node:fs').readFileSync('b.txt')\n");
		const id = await add('Start the skill');
		const words = ['--approve', 'full', '--json', ...model()];
		for (const command of [
			['goal', 'until', 'it ran', '--check', 'node check.js'],
			['goal', 'run', id],
		]) {
			const { code, stdout, stderr } = await user.runs([...command, ...words]);
			assert.equal(code, 0, stderr);
			assert.match(stderr, / {4}half \(50 %\)\n {4}(Create|Write) b\.txt\n {4}failed: Read none\.txt: /);
			const lines = stdout.trim().split('\n');
			const steps = lines.map((line) => JSON.parse(line) as { type: string; step: { status: string; title: string } });
			const ended = steps.filter(({ type, step }) => type === 'item.step' && step.status !== 'running');
			assert.deepEqual(
				[...new Set(ended.map(({ step }) => `${step.status} ${step.title}`))],
				['done half', 'done Write b.txt', 'failed Read none.txt'],
			);
		}
	});

	it('run takes a test run that passed for what it is, and mark counts a step as done', async () => {
		server = await startModelServer([
			{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', '--test', 'good.test.js'] } }] },
			done,
			{ text: 'They pass.' },
			judges('notDone', 'No.'),
			{ text: 'No.' },
			done,
			{ text: 'Three.' },
		]);
		user.writes('good.test.js', '\n');
		const id = await add('Run all tests', 'Two', 'Three');
		const runsHere = () => user.runs(['goal', 'run', id, '--approve', 'full', ...model()]);
		assert.match((await runsHere()).stdout, /1\. \[done\] Run all tests\s+2\. \[not done\] Two: No\./);
		assert.match((await user.runs(['goal', 'mark', id, '2'])).stderr, /\[done\] Two: You marked it as done/);
		assert.match((await user.runs(['goal', 'mark', id, '2'])).stderr, /Step 2 has not failed/);
		assert.equal((await runsHere()).code, 0);
	});

	it('run is ended by a cancel from elsewhere while a step runs', async () => {
		server = await startModelServer(() => ({ then: 'stall' }));
		const id = await add('Think', 'Write it');
		const running = runs(id);
		await server.request(1);
		assert.match((await user.runs(['goal', 'delete', id])).stderr, /Cancel it first/);
		assert.match((await user.runs(['goal', 'cancel', id])).stderr, /cancelled/);
		const { code, stdout } = await running.ended;
		assert.equal(code, 1);
		assert.match(stdout, /cancelled, 0 of 2 done/);
		assert.equal((await user.runs(['goal', 'delete', id])).code, 0);
		assert.deepEqual(await list(), []);
	});

	it('run stops when another process has taken its step over, and writes nothing of it', async () => {
		server = await startModelServer(() => ({ then: 'stall' }));
		const id = await add('Think', 'Write it');
		const late = runs(id);
		await server.request(1);
		const db = new DatabaseSync(join(user.home, 'goals.db'));
		const other = 'otherhost/4242/0b7f9a52-6c1e-4f6b-9d55-0f6f8f1f2a10/cli/other-boot+1/1';
		db.prepare('UPDATE step SET owner = ? WHERE number = 1').run(other);
		const { code, stderr } = await late.ended;
		const row = db.prepare('SELECT owner, state FROM step WHERE number = 1').get();
		db.close();
		assert.equal(code, 1);
		assert.match(stderr, /Another process took over this work.* \(CLAIM_LOST\)/);
		assert.deepEqual({ ...row }, { owner: other, state: 'started' });
	});

	it('pauses, resumes, fails at a step that fails, and has it tried again', async () => {
		server = await startModelServer([{ error: 400 }, done, { text: 'Done now.' }]);
		const id = await add('Do it');
		await user.runs(['goal', 'pause', id]);
		assert.match((await runs(id).ended).stdout, /paused, 0 of 1/);
		assert.equal(server.requests.length, 0);
		await user.runs(['goal', 'resume', id]);
		assert.match((await runs(id).ended).stdout, /not done, 0 of 1 done[\s\S]*The turn of this step failed/);
		assert.match((await user.runs(['goal', 'retry', id, '2'])).stderr, /Step 2 has not failed/);
		assert.equal((await user.runs(['goal', 'retry', id, '1'])).code, 0);
		assert.doesNotMatch((await user.runs(['goal', 'list'])).stdout, /failed/);
		const { stdout, stderr } = await runs(id).ended;
		assert.match(stdout, /done, 1 of 1/);
		assert.match(stderr, /\[running\] Do it$/m);
	});

	it('says what is wrong with a plan and a goal that is not there, and works in no folder without trust', async () => {
		server = await startModelServer([]);
		for (const [words, problem] of [
			[['add', 'x'], /0 steps, expected 1 to 8/],
			[['add', 'x', '--step', 'a (after 3)'], /waits for step 3/],
			[['run', 'goal_1', ...model()], /There is no goal goal_1\. `prowess goal list`/],
			[['pause', 'goal_1'], /There is no goal goal_1\. `prowess goal list`/],
		] as const) {
			assert.match((await user.runs(['goal', ...words])).stderr, problem);
		}
		const { stdout } = await user.runs(['goal', 'add', 'x', '--step', 'a']);
		assert.match((await user.runs(['goal', 'run', stdout.trim(), ...model()])).stderr, /not trusted/);
		const replan = (step: string) => user.runs(['goal', 'replan', stdout.trim(), '--step', step]);
		for (const step of ['b', 'c', 'd']) {
			assert.equal((await replan(step)).code, 0);
		}
		const fourth = await replan('e');
		assert.equal(fourth.code, 1);
		assert.match(fourth.stderr, /3 times/);
		assert.deepEqual(
			(await list())[0]?.steps.map(({ text }) => text),
			['d'],
		);
		assert.equal(server.requests.length, 0);
	});
});
