/** An agent that goes in circles, through the real CLI, its server and a model over HTTP. */
import assert from 'node:assert/strict';
import { startModelServer } from '../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess run: an agent that goes in circles', function () {
	this.timeout(commandLimitMs);

	it('is stopped when call after call fails, with what to do', async () => {
		const user = new User();
		const server = await startModelServer((n) => ({
			toolCalls: [{ name: 'fs_read', input: { path: `none-${n}.ts` }, callId: `call_${n}` }],
		}));
		const { code, stdout, stderr } = await user.prompts(server.baseUrl, 'Look around', ['--json']).ended;
		await server.close();
		assert.equal(code, 1, stderr);
		assert.equal(server.requests.length, 15);
		assert.match(stdout, /"outcome":"failed".*"code":"GOING_IN_CIRCLES"/);
		assert.match(stdout, /Stopped, because the agent got nowhere/);
	});

	it('reads that a call was not run again, and may end well', async () => {
		const user = new User();
		user.writes('a.ts', 'let a;\n');
		const server = await startModelServer((n) =>
			n < 4
				? { toolCalls: [{ name: 'fs_read', input: { path: 'a.ts' }, callId: `call_${n}` }] }
				: { text: 'It stays as it is.' },
		);
		const { code, stdout, stderr } = await user.prompts(server.baseUrl, 'Look around').ended;
		await server.close();
		assert.equal(code, 0, stderr);
		assert.match(stdout, /It stays as it is\./);
		const told = server.requests.at(-1)?.body['messages'] as { role: string; content: string }[] | undefined;
		const results = (told ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content);
		assert.deepEqual(
			results.map((text) => text.startsWith('CALL_REPEATED')),
			[false, false, false, true],
		);
	});
});
