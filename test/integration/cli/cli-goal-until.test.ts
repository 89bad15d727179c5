/** `prowess goal until`: a command or a judge decides, whatever the agent says. */
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from './cli-process.ts';

const CHECK = ['--check', 'node check.js'];
/** Holds once the file is there. */
const CHECK_SCRIPT =
	"if (!require('node:fs').existsSync('made.txt')) { console.log('made.txt is missing,\\nsee made.md'); process.exit(1); }\n";

describe('prowess goal until', function () {
	this.timeout(3 * commandLimitMs);
	let user: User;
	let server: ModelServer;
	beforeEach(() => {
		user = new User();
		user.writes('check.js', CHECK_SCRIPT);
	});
	afterEach(async () => server.close());

	const model = () => ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'm'];
	const words = (...more: string[]) => [
		...['goal', 'until', 'made.txt exists', '--approve', 'full', '--trust'],
		...more,
		...model(),
	];
	const lies: ScriptEntry = { text: 'All of it is done: the file exists.' };
	const makes: ScriptEntry = { toolCalls: [{ name: 'fs_write', input: { path: 'made.txt', content: 'x' } }] };

	it('refuses limits, checks and conditions that it cannot read, and asks for a check that nobody has confirmed', async () => {
		server = await startModelServer([]);
		user.writes('package.json', JSON.stringify({ scripts: { test: 'node check.js' } }));
		for (const [given, problem] of [
			[['x', '--rounds', '0'], /The limit "0 rounds" cannot be read/],
			[['x', '--cost', 'much'], /The limit "much cost" cannot be read/],
			[['x', '--check', 'if true; then echo'], /not a command that can run here/],
			[[' '], /needs a condition/],
			[['all tests pass'], /--check 'npm test'/],
		] as const) {
			const { code, stderr } = await user.runs(['goal', 'until', ...given, '--trust', ...model()]);
			assert.notEqual(code, 0);
			assert.match(stderr, problem);
		}
		assert.equal(server.requests.length, 0);
	});

	it('goes on after a lie, says what is missing, and ends once the command passes', async () => {
		server = await startModelServer([lies, makes, { text: 'Now it is.' }]);
		const { code, stdout, stderr } = await user.runs(words(...CHECK, '--json'));
		assert.equal(code, 0, stderr);
		assert.match(server.requests[0]?.text ?? '', /made\.txt is missing/);
		assert.match(
			stderr,
			/round 2 of 20\] made\.txt exists: node check\.js ended with exit code 1\. made\.txt is missing, see made\.md\n/,
		);
		const events = stdout
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line) as { type: string; state?: string });
		assert.deepEqual(
			events.map(({ type, state }) => state ?? type),
			['step', 'step', 'done'],
		);
	});

	it('does nothing where the condition holds already', async () => {
		server = await startModelServer([]);
		user.writes('made.txt', 'x');
		const { code, stdout } = await user.runs(words(...CHECK));
		assert.equal(code, 0, stdout);
		assert.equal(server.requests.length, 0);
	});

	for (const [limit, more, shown] of [
		['rounds', ['--rounds', '2'], /A limit was reached: 2 rounds\. Still missing: node check\.js ended/],
		['tokens', ['--tokens', '1'], /A limit was reached: 1 token\./],
	] as const) {
		it(`ends as not done at its limit of ${limit}, however often the agent says that it is done`, async () => {
			server = await startModelServer(() => lies);
			const { code, stdout } = await user.runs(words(...CHECK, ...more));
			assert.equal(code, 1);
			assert.match(stdout, /not done, 0 of 1 done/);
			assert.match(stdout, shown);
			assert.ok(server.requests.length <= 2);
		});
	}

	it('goes on with other limits that retry is given, and says how where a limit was reached', async () => {
		server = await startModelServer([lies, makes, { text: 'Now it is.' }]);
		const { stdout, stderr } = await user.runs(words(...CHECK, '--rounds', '1'));
		assert.match(stderr, /prowess goal retry goal_\S+ 1 --rounds N/);
		const id = /goal_\S+/.exec(stdout)?.[0] ?? '';
		const refused = await user.runs(['goal', 'retry', id, '1', '--rounds', '0']);
		assert.match(refused.stderr, /"0 rounds" cannot be read/);
		assert.equal((await user.runs(['goal', 'retry', id, '1', '--rounds', '7', '--tokens', '9000'])).code, 0);
		const ran = await user.runs(['goal', 'run', id, '--approve', 'full', ...model()]);
		assert.equal(ran.code, 0, ran.stderr);
		assert.match(ran.stderr, /round 1 of 7\]/);
		const [{ until } = { until: undefined }] = JSON.parse((await user.runs(['goal', 'list', '--json'])).stdout) as {
			readonly until?: { readonly limits: object };
		}[];
		assert.deepEqual(until?.limits, { rounds: 7, tokens: 9_000, cost: 10, minutes: 120 });
		const ledger = await user.runs(['ledger', 'list', '--op', 'goal.retry', '--json']);
		assert.match(ledger.stdout, /at most 7 rounds, at most 9000 tokens/);
	});

	it('runs a command that the user has named without another question, and needs them where a rule denies it', async () => {
		server = await startModelServer([lies]);
		const given = (mode: string) =>
			words('--check', 'node check.js', '--rounds', '1').map((word) => (word === 'full' ? mode : word));
		const asked = await user.runs(given('never'));
		assert.match(asked.stderr, /^At most 1 round, 2000000 tokens, 10 US dollars, 120 minutes\.$/m);
		assert.match(asked.stdout, /A limit was reached: 1 round\. Still missing: node check\.js ended with exit code 1/);
		user.sets({ 'prowess.approvals.deny': ['shell.run node *'] });
		const denied = await user.runs(given('full'));
		assert.equal(denied.code, 3, denied.stdout);
		assert.match(denied.stdout, /needs you[\s\S]*The check could not run: node check\.js/);
		const { stdout } = await user.runs(['ledger', 'list', '--op', 'shell.run', '--json']);
		assert.match(stdout, /deny-rule/);
	});

	it('needs the user once the agent has changed what the command runs, until they agree to the change', async () => {
		const cheats: ScriptEntry = { toolCalls: [{ name: 'fs_write', input: { path: 'check.js', content: '' } }] };
		const reads: ScriptEntry = { toolCalls: [{ name: 'fs_read', input: { path: 'check.js' } }] };
		server = await startModelServer([reads, cheats, lies]);
		const { code, stdout } = await user.runs(words(...CHECK));
		assert.equal(code, 3, stdout);
		assert.match(stdout, /needs you[\s\S]*has changed since you agreed to it: check\.js/);
		const id = /goal_\S+/.exec(stdout)?.[0] ?? '';
		assert.equal((await user.runs(['goal', 'retry', id, '1'])).code, 0);
		assert.equal((await user.runs(['goal', 'run', id, '--approve', 'full', ...model()])).code, 0);
		assert.equal(server.requests.length, 3, 'the check that they agreed to passes');
	});

	it('has a model judge by calls and changes, and not by the words of the agent', async () => {
		const isJudge = (text: string) => text.includes('You decide whether a condition holds');
		const verdicts = ['MISSING: nothing was changed.', 'HOLDS'];
		const work: ScriptEntry[] = [lies, makes, { text: 'Now it is.' }];
		server = await startModelServer((_, { text }) =>
			isJudge(text) ? { text: verdicts.shift() ?? '' } : (work.shift() ?? lies),
		);
		const { code, stderr } = await user.runs(words('--check', 'judge'));
		assert.equal(code, 0, stderr);
		const judged = server.requests.map(({ text }) => text).filter(isJudge);
		assert.equal(judged.length, 2);
		assert.ok(judged.every((text) => !text.includes('All of it is done')));
		assert.match(judged[1] ?? '', /made\.txt[\s\S]*\+x/);
		assert.match(stderr, /nothing was changed/);
	});

	it('goes on after a kill in a round, and works no round twice', async () => {
		server = await startModelServer([makes, { then: 'stall' }]);
		const killed = user.starts(words(...CHECK));
		await server.request(2);
		killed.child.kill('SIGKILL');
		await killed.ended;
		const [{ id } = { id: '' }] = JSON.parse((await user.runs(['goal', 'list', '--json'])).stdout) as { id: string }[];
		const { code, stdout } = await user.runs(['goal', 'run', id, '--approve', 'full', ...model()]);
		assert.equal(code, 0, stdout);
		assert.equal(server.requests.length, 2, 'the condition holds, so no other round begins');
	});

	it('checks again after a kill during a check, and no round begins in between', async () => {
		server = await startModelServer([makes, { text: 'Now it is.' }]);
		user.writes('slow.txt', 'x');
		user.writes(
			'check.js',
			`const fs = require('node:fs');
			if (fs.existsSync('slow.txt')) { fs.writeFileSync('checking.txt', ''); setTimeout(() => {}, 600_000); }
			else process.exit(fs.existsSync('made.txt') ? 0 : 1);`,
		);
		const killed = user.starts(words(...CHECK));
		await waitFor('the check', () => existsSync(join(user.workspace, 'checking.txt')), commandLimitMs);
		killed.child.kill('SIGKILL');
		await killed.ended;
		assert.equal(server.requests.length, 0);
		rmSync(join(user.workspace, 'slow.txt'));
		const [{ id } = { id: '' }] = JSON.parse((await user.runs(['goal', 'list', '--json'])).stdout) as { id: string }[];
		const { code, stdout } = await user.runs(['goal', 'run', id, '--approve', 'full', ...model()]);
		assert.equal(code, 0, stdout);
		assert.equal(server.requests.length, 2);
	});
});
