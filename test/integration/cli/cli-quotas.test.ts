/** Quotas of the user: the real CLI, a model server on this machine, and a setting. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('A quota', function () {
	this.timeout(commandLimitMs);

	it('warns at 80 %, finishes the turn that runs, refuses the next one unsent, and is shown', async () => {
		const user = new User();
		mkdirSync(user.home);
		const usage = { input: 900, output: 0 };
		const server = await startModelServer([
			{ text: 'One.', usage },
			{ toolCalls: [{ name: 'fs_list', input: {} }], usage },
			{ text: 'Two.', usage },
		]);
		const settings = { 'prowess.quotas.tokensPerHour': 1_000 };
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
		try {
			assert.equal((await user.prompts(server.baseUrl, 'Say one').ended).code, 0);
			const second = await user.prompts(server.baseUrl, 'Say two').ended;
			assert.match(second.stderr, /Tokens in the last hour: 9\d\d of 1,000/);
			assert.match(second.stdout, /Two\./);
			const third = await user.prompts(server.baseUrl, 'Say three').ended;
			assert.equal(third.code, 1);
			assert.match(third.stderr, /A quota is used up\. Tokens in the last hour: 2,7\d\d of 1,000/);
			assert.equal(server.requests.length, 3);
			const shown = await user.runs(['usage']);
			assert.match(shown.stdout, /^last hour +3 requests, 2,7\d\d tokens in/);
			assert.match(shown.stdout, /Tokens in the last hour: 2,7\d\d of 1,000\n$/);
		} finally {
			await server.close();
		}
	});
});
