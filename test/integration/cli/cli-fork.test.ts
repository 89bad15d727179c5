/** `prowess thread messages` and `thread fork`: another thread from a message of the user, in real processes. */
import assert from 'node:assert/strict';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('A thread that is forked from the command line', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;
	let thread: string;

	beforeEach(async () => {
		user = new User();
		server = await startModelServer((n) => ({ text: `Answer ${n + 1}.` }));
		const one = await user.prompts(server.baseUrl, 'Say one.').ended;
		assert.equal(one.code, 0, one.stderr);
		thread = (await user.runs(['thread', 'list'])).stdout.split(' ')[0] ?? '';
		const two = await user.prompts(server.baseUrl, 'Say two.', ['--thread', thread]).ended;
		assert.equal(two.code, 0, two.stderr);
	});
	afterEach(() => server.close());

	it('is refused for a message that it has not', async () => {
		const { code, stderr } = await user.runs(['thread', 'fork', thread, '3']);
		assert.equal(code, 2);
		assert.match(stderr, /"3" is no message of this thread: it has 1 to 2/);
	});

	it('lists its messages by their numbers', async () => {
		const { stdout } = await user.runs(['thread', 'messages', thread]);
		assert.match(stdout, /^ {2}1 {2}\S+ \S+ {2}Say one\.\n {2}2 {2}\S+ \S+ {2}Say two\.\n$/);
	});

	it('gives the id of another one, which ends before the message and goes on by itself', async () => {
		const forked = await user.runs(['thread', 'fork', thread, '2']);
		assert.equal(forked.code, 0, forked.stderr);
		const id = forked.stdout.trim();
		assert.match(id, /^thr_/);
		const { code, stderr } = await user.prompts(server.baseUrl, 'Say three.', ['--thread', id]).ended;
		assert.equal(code, 0, stderr);
		const told = JSON.stringify(server.requests.at(-1)?.body['messages']);
		assert.match(told, /Say one\..*Answer 1\..*Say three\./);
		assert.doesNotMatch(told, /Say two/);
		assert.match((await user.runs(['thread', 'show', thread])).stdout, /Answer 2\.\s*$/);
	});
});
