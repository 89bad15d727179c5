/** `prowess run` starts its server before it has looked at all of its words. Whatever is wrong with them, no server stays. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('The server of prowess run', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let model: ModelServer;
	beforeEach(async () => {
		user = new User();
		model = await startModelServer(() => ({ text: 'Done.' }));
	});
	afterEach(() => model.close());

	const withModel = () => ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'm'];
	/** The threads that a server writes as soon as it is told to start. */
	const hasStarted = () => existsSync(join(user.home, 'threads.db'));

	it('does not start in a folder that nobody trusts, whoever is trusted elsewhere', async () => {
		const other = new User();
		assert.equal(
			(await user.runs(['run', 'x', '--trust', '--workspace', other.workspace, '--provider', 'tour'])).code,
			0,
		);
		// The cache is left out: any command may write it, and its content can be made anew.
		const inHome = () => readdirSync(user.home).filter((name) => name !== 'cache');
		const before = inHome().sort();
		const { code, stderr } = await user.runs(['run', 'x', ...withModel()]);
		assert.equal(code, 1);
		assert.match(stderr, /WORKSPACE_UNTRUSTED/);
		assert.deepEqual([inHome().sort(), model.requests.length], [before, 0]);
	});

	it('makes no home for words that are wrong', async () => {
		assert.equal((await user.runs(['run', 'x', '--bogus'])).code, 2);
		assert.equal(existsSync(user.home), false);
	});

	for (const [what, words] of Object.entries({
		'an option that there is not': ['x', '--bogus'],
		'a thread that is none': ['x', '--thread', 'nonsense'],
		'a question in the words of the help': ['x', '--help'],
		'no prompt': [],
	})) {
		it(`is gone when trusted words turn out to be ${what}`, async () => {
			assert.equal((await user.runs(['run', 'x', '--trust', '--provider', 'tour'])).code, 0);
			const { code } = await user.runs(['run', ...words, ...withModel()]);
			assert.equal(code, what.includes('help') ? 0 : 2);
			assert.equal(model.requests.length, 0);
		});
	}

	it('starts for the first prompt in a folder, and for the next', async () => {
		for (const trust of [['--trust'], []]) {
			const { code, stderr } = await user.runs(['run', 'x', ...trust, ...withModel()]);
			assert.equal(code, 0, stderr);
			assert.equal(hasStarted(), true);
		}
		assert.equal(model.requests.length, 2);
	});
});
