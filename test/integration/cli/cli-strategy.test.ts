/** Tests the strategy for a prompt of the command line: chosen by its text, or named with --strategy. */
import assert from 'node:assert/strict';
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
		server = await startModelServer(() => ({ text: 'Done.' }));
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

	it('has several steps planned first, unless they are to be answered directly', async () => {
		assert.equal((await run(SEVERAL)).code, 0);
		assert.match(server.requests[0]?.text ?? '', /<strategy>.*at most 8/s);
		assert.equal((await run(SEVERAL, '--strategy', 'DIRECT_RESPONSE')).code, 0);
		assert.doesNotMatch(server.requests[1]?.text ?? '<strategy>', /<strategy>/);
	});

	it('keeps no schedule where nobody agrees to it, and answers', async () => {
		const { code, stdout } = await run('Every weekday at 9, list open issues');
		assert.equal(code, 0);
		assert.match(stdout, /Done\./);
		assert.deepEqual(JSON.parse((await user.runs(['schedule', 'list', '--json'])).stdout), []);
	});

	it('hands the prompt to a sub-agent when that was named', async () => {
		const { code, stdout, stderr } = await run('Look for dead code', '--strategy', 'SUB_AGENT');
		assert.equal(code, 0, stderr);
		assert.match(stdout, /sub-agent .* works on it/);
		assert.equal(server.requests.length, 1);
		assert.match(server.requests[0]?.text ?? '', /Look for dead code/);
	});
});
