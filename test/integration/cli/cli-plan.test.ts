/** The mode Plan on the command line: the real CLI, its server and a model over HTTP. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess run --mode plan', function () {
	this.timeout(commandLimitMs);

	it('changes and runs nothing where nobody can approve a plan, at any level, also in a thread that goes on', async () => {
		const user = new User();
		const server = await startModelServer([
			{ toolCalls: [{ name: 'fs_write', input: { path: 'a.txt', content: 'x' } }] },
			{ toolCalls: [{ name: 'plan_write', input: { plan: '# Write a.txt' } }] },
			{ text: 'Nobody could approve the plan.' },
			{ toolCalls: [{ name: 'shell_run', input: { argv: ['touch', 'a.txt'] } }] },
			{ text: 'Still nobody.' },
		]);
		const first = await user.prompts(server.baseUrl, 'go', ['--approve', 'full', '--mode', 'plan', '--json']).ended;
		assert.equal(first.code, 0, first.stderr);
		const threadId = /"id":"(thr_[^"]+)"/.exec(first.stdout)?.[1] ?? '';
		const second = await user.prompts(server.baseUrl, 'go on', ['--approve', 'full', '--thread', threadId]).ended;
		await server.close();
		assert.equal(second.code, 0, second.stderr);
		assert.equal(existsSync(join(user.workspace, 'a.txt')), false);
		const answers = server.requests.flatMap(({ body }) => {
			const messages = body['messages'] as { readonly role: string; readonly content: string }[];
			return messages.at(-1)?.role === 'tool' ? [messages.at(-1)?.content ?? ''] : [];
		});
		assert.equal(answers.length, 3);
		assert.match(answers[0] ?? '', /not available in plan mode before the user has approved a plan/);
		assert.match(answers[1] ?? '', /^(?:DENIED|APPROVAL)/);
		assert.match(answers[2] ?? '', /not available in plan mode/);
	});
});
