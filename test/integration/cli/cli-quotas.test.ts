/** Quotas of the user: the real CLI, a model server on this machine, and a setting. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../support/model-server.ts';
import { waitFor } from '../../support/wait-for.ts';
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

	it('of tool calls has the next one wait and says until when, and a stop ends the wait', async () => {
		const user = new User();
		mkdirSync(user.home);
		user.writes('a.txt', 'alpha\n');
		const reads = (...lines: number[]) => ({
			toolCalls: lines.map((offset) => ({ name: 'fs_read', input: { path: 'a.txt', offset, limit: 1 } })),
		});
		const server = await startModelServer([
			{ toolCalls: [{ name: 'fs_list', input: {} }] },
			reads(1),
			reads(1),
			{ text: 'Three.' },
		]);
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify({ 'prowess.quotas.toolCallsPerMinute': 2 }));
		try {
			const running = user.prompts(server.baseUrl, 'Look three times', ['--json']);
			await waitFor('a call that waits', () => running.stdout.includes('"paced"'), 30_000);
			const [, until = ''] = /"paced":\{"limit":2,"until":"([^"]+)"/.exec(running.stdout) ?? [];
			const left = Date.parse(until) - Date.now();
			assert.ok(left > 0 && left <= 60_000, `${left} ms are left`);
			running.stop();
			await running.ended;
			assert.equal(server.requests.length, 3);
			const rows = JSON.parse((await user.runs(['ledger', 'list', '--op', 'fs.read', '--json'])).stdout) as {
				readonly status: string | null;
			}[];
			assert.deepEqual(
				rows
					.map(({ status }) => status)
					.filter((status) => status !== null)
					.toSorted(),
				['cancelled', 'done'],
			);
		} finally {
			await server.close();
		}
	});
});
