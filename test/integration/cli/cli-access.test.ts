/** Rights that the user denies to the command line: the real CLI, a model server on this machine, and a setting. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('A right that the command line is denied', function () {
	this.timeout(commandLimitMs);

	it('is kept from its threads, one by one, and the trace says so', async () => {
		const user = new User();
		mkdirSync(user.home);
		user.writes('a.txt', 'alpha\n');
		const deny = (...rights: string[]) =>
			writeFileSync(join(user.home, 'settings.json'), JSON.stringify({ 'prowess.access.deny': { cli: rights } }));
		const server = await startModelServer([
			{ text: 'Noted.' },
			{ text: 'Which one?' },
			{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] },
			{ text: 'It may not.' },
		]);
		try {
			const first = await user.prompts(server.baseUrl, 'The word is mango', ['--json']).ended;
			const { info } = JSON.parse(first.stdout.split('\n', 1)[0] ?? '') as { info: { id: string } };
			deny('history');
			await user.prompts(server.baseUrl, 'Which word', ['--thread', info.id]).ended;
			assert.doesNotMatch(JSON.stringify(server.requests[1]?.body['messages']), /mango/);
			deny('tools');
			await user.prompts(server.baseUrl, 'Look into the file', ['--thread', info.id]).ended;
			assert.doesNotMatch(JSON.stringify(server.requests[2]?.body['tools'] ?? []), /fs_read/);
			assert.doesNotMatch(server.requests[3]?.text ?? '', /alpha/);
			deny('send');
			const refused = await user.prompts(server.baseUrl, 'Say it', ['--thread', info.id]).ended;
			assert.equal(refused.code, 1);
			assert.match(refused.stderr, /You do not let the command line ask models: see prowess\.access\.deny/);
			assert.equal(server.requests.length, 4);
			const traces = await user.runs(['trace', 'list', info.id, '--json']);
			assert.match(traces.stdout, /"stage": ?"AuthResolve"[^}]*"outcome": ?"ACCESS_DENIED"/);
			assert.match(traces.stdout, /"principal": ?"cli"/);
		} finally {
			await server.close();
		}
	});
});
