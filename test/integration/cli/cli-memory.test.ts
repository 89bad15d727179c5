/** `prowess memory …` and a thread that remembers: the real CLI, and a model server on this machine. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess memory', function () {
	this.timeout(commandLimitMs);

	it('lets the user review what an agent noted, and tells a later thread what was accepted', async () => {
		const user = new User();
		mkdirSync(user.home);
		const server = await startModelServer([
			{ toolCalls: [{ name: 'memory_remember', input: { text: 'Use pnpm to install packages' } }] },
			{ text: 'Noted.' },
			{ text: 'With pnpm.' },
			{ text: 'Elsewhere.' },
		]);
		try {
			await user.prompts(server.baseUrl, 'We use pnpm here, remember that.', ['--json']).ended;
			assert.match(server.requests[1]?.text ?? '', /waits for the user's review/);
			const listed = await user.runs(['memory', 'list', '--inbox']);
			const [, id = ''] =
				/^Inbox, not recalled before you accept it \(1\):\n {2}(mem_\w+) {2}Use pnpm to install packages\n {4}.*by the agent.*thread thr_/.exec(
					listed.stdout,
				) ?? assert.fail(listed.stdout + listed.stderr);
			assert.match((await user.runs(['memory', 'accept', id])).stderr, /^Accepted: Use pnpm to install packages\n$/);
			await user.prompts(server.baseUrl, 'Install the lodash package', ['--json']).ended;
			assert.match(server.requests[2]?.text ?? '', /<memories [^\n]*Use pnpm to install packages/);

			const other = join(user.root, 'other');
			mkdirSync(other);
			assert.match((await user.runs(['memory', 'list', '--workspace', other])).stderr, /Nothing is remembered here/);
			const refused = await user.runs(['memory', 'add', `token ghp_${'a1B2c3D4'.repeat(4)}abcd`, '--user']);
			assert.equal(refused.code, 1);
			assert.match(refused.stderr, /looks like a key, so it was not remembered/);
			assert.equal((await user.runs(['memory', 'add', 'Answer in German', '--user', '--preference'])).code, 0);
			assert.match((await user.runs(['memory', 'search', 'which package manager'])).stdout, /Use pnpm/);
			assert.equal((await user.runs(['memory', 'forget', id])).code, 0);
			await user.prompts(server.baseUrl, 'Install the lodash package', ['--json']).ended;
			assert.match(server.requests[3]?.text ?? '', /preference of the user.*Answer in German/);
			assert.doesNotMatch(server.requests[3]?.text ?? '', /Use pnpm/);
		} finally {
			await server.close();
		}
	});
});
