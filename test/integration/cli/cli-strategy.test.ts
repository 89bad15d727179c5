/** Tests the strategy for a prompt of the command line: chosen by its text, or named with --strategy. */
import assert from 'node:assert/strict';
import type { OverruledJudgement } from '../../../src/protocol/turn/judgement.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

const SEVERAL = 'First add the column, then fill it, and finally write the tests.';

describe('prowess run --strategy', function () {
	this.timeout(2 * commandLimitMs);
	let user: User;
	let server: ModelServer;
	beforeEach(async () => {
		user = new User();
		user.writes('a.txt', 'alpha\n');
		server = await startModelServer(() => ({ text: 'Nice to meet you.' }));
	});
	afterEach(async () => server.close());

	const run = (...words: string[]) =>
		user.runs([
			'run',
			...words,
			'--trust',
			'--provider',
			'openai-compatible',
			'--base-url',
			server.baseUrl,
			'--model',
			'scripted',
		]);

	it('refuses a word that is none, and says which there are', async () => {
		const { code, stderr } = await run('x', '--strategy', 'PANIC');
		assert.equal(code, 2);
		assert.match(stderr, /DIRECT_RESPONSE.*GOAL.*SCHEDULED_TASK.*SUB_AGENT.*SCRIPT/s);
	});

	it('has several steps planned first where the prompt asks for it, unless they are to be answered directly', async () => {
		const planned = `${SEVERAL} Plan it first.`;
		assert.equal((await run(planned)).code, 0);
		assert.match(server.requests[0]?.text ?? '', /<strategy>.*at most 8/s);
		assert.equal((await run(planned, '--strategy', 'DIRECT_RESPONSE')).code, 0);
		assert.doesNotMatch(server.requests[1]?.text ?? '<strategy>', /<strategy>/);
	});

	it('answers several steps at once, and offers a goal in one line at the end, or in an event', async () => {
		const { code, stdout, stderr } = await run(SEVERAL);
		assert.equal(code, 0, stderr);
		assert.match(stdout, /^Nice to meet you\.\n$/);
		assert.match(stderr, /^prowess: This can also be worked on as a goal.* prowess run --strategy GOAL\n$/);
		assert.doesNotMatch(server.requests[0]?.text ?? '<strategy>', /<strategy>/);
		const events = (await run(SEVERAL, '--json')).stdout.trim().split('\n');
		const offers = events.map((line) => JSON.parse(line)).filter(({ item }) => item?.actions?.includes('workAsGoal'));
		assert.equal(offers.length, 1);
		assert.equal((await run(SEVERAL, '--strategy', 'DIRECT_RESPONSE')).stderr, '');
	});

	it('keeps no schedule where nobody agrees to it, and answers', async () => {
		const { code, stdout } = await run('Every weekday at 9, list open issues');
		assert.equal(code, 0);
		assert.match(stdout, /Nice to meet you\./);
		assert.deepEqual(JSON.parse((await user.runs(['schedule', 'list', '--json'])).stdout), []);
	});

	it('hands the prompt to a sub-agent when that was named', async () => {
		const { code, stdout, stderr } = await run('Look for dead code', '--strategy', 'SUB_AGENT');
		assert.equal(code, 0, stderr);
		assert.match(stdout, /sub-agent .* works on it/);
		assert.equal(server.requests.length, 1);
		assert.match(server.requests[0]?.text ?? '', /Look for dead code/);
	});

	it('has the model answer what a fast path did, and after three times always, which it says once', async () => {
		const threads = async () => JSON.parse((await user.runs(['thread', 'list', '--json'])).stdout) as { id: string }[];
		assert.equal((await run('read a.txt')).code, 0);
		assert.equal(server.requests.length, 0);
		const [thread] = await threads();
		assert.ok(thread !== undefined);
		const again = ['--thread', thread.id, '--strategy', 'DIRECT_RESPONSE'];
		const answered = await run('read a.txt', ...again);
		assert.match(answered.stdout, /Nice to meet you\./);
		assert.doesNotMatch(answered.stderr, /without a model/);
		assert.equal(server.requests.length, 1);
		// The model has answered since: there is nothing more to overrule.
		await run('read a.txt', ...again);
		const shown = JSON.parse((await user.runs(['usage', '--judgement', '--json'])).stdout);
		assert.deepEqual(
			shown.overruled.map(({ kind, name, times, isOff }: OverruledJudgement) => [kind, name, times, isOff]),
			[['fastPath', 'read', 1, false]],
		);
		let last;
		for (let at = 0; at < 2; at += 1) {
			await run('read a.txt', '--thread', thread.id);
			last = await run('read a.txt', ...again);
		}
		assert.match(last?.stderr ?? '', /off in this project.*--again read/s);
		const { stdout, stderr } = await run('read a.txt');
		assert.match(stdout, /Nice to meet you\./);
		assert.doesNotMatch(stderr, /off in this project/);
		assert.match((await user.runs(['usage', '--judgement'])).stdout, /Fast answer read: overruled 3 times, off/);
		assert.match((await user.runs(['doctor'])).stdout, /Judgement +1 off/);
		assert.equal((await user.runs(['usage', '--again', 'read'])).code, 0);
		assert.match((await user.runs(['usage', '--again', 'read'])).stderr, /nothing named read was overruled/);
		assert.match((await run('read a.txt')).stdout, /alpha/);
	});
});
