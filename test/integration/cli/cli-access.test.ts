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
			{ text: 'Only words.' },
			{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] },
			{ text: 'It may not.' },
		]);
		try {
			const first = await user.prompts(server.baseUrl, 'The word is mango', ['--json']).ended;
			const { info } = JSON.parse(first.stdout.split('\n', 1)[0] ?? '') as { info: { id: string } };
			deny('history');
			await user.prompts(server.baseUrl, 'Which word', ['--thread', info.id]).ended;
			assert.doesNotMatch(JSON.stringify(server.requests[1]?.body['messages']), /mango/);
			deny('details');
			await user.prompts(server.baseUrl, 'And now', ['--thread', info.id]).ended;
			assert.match(JSON.stringify(server.requests[2]?.body['messages']), /The word is mango.*not shown.*Noted/);
			deny('tools');
			await user.prompts(server.baseUrl, 'Look into the file', ['--thread', info.id]).ended;
			// None at all, not even those that the loop carries out by itself.
			assert.deepEqual(server.requests[3]?.body['tools'] ?? [], []);
			assert.doesNotMatch(server.requests[4]?.text ?? '', /alpha/);
			deny('send');
			const refused = await user.prompts(server.baseUrl, 'Say it', ['--thread', info.id]).ended;
			assert.equal(refused.code, 1);
			assert.match(refused.stderr, /You do not let the command line ask models: see prowess\.access\.deny/);
			assert.equal(server.requests.length, 5);
			const traces = await user.runs(['trace', 'list', info.id, '--json']);
			assert.match(traces.stdout, /"stage": ?"AuthResolve"[^}]*"outcome": ?"ACCESS_DENIED"/);
			assert.match(traces.stdout, /"principal": ?"cli"/);
			assert.match(traces.stdout, /"strategy": ?"TextOnly"/);
			assert.match(traces.stdout, /"strategy": ?"ToolsEnabled"/);
		} finally {
			await server.close();
		}
	});
});

describe('A right that schedules are denied', function () {
	this.timeout(2 * commandLimitMs);

	it('is kept from their runs and not from the user, whose trace says whom, where and why', async () => {
		const user = new User();
		user.writes('a.txt', 'alpha\n');
		const server = await startModelServer([
			{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] },
			{ text: 'It may not.' },
			{ text: 'The user may.' },
		]);
		const denied = (...rights: string[]) =>
			writeFileSync(join(user.home, 'settings.json'), JSON.stringify({ 'prowess.access.deny': { schedule: rights } }));
		const model = ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'm'];
		/** Thread of a run that was due now. */
		const runsNow = async (id: string) => {
			assert.equal((await user.runs(['schedule', 'run', id, ...model])).stdout.includes(id), false);
			const { stdout } = await user.runs(['schedule', 'list', '--json']);
			const listed = JSON.parse(stdout) as { id: string; lastRun: { threadId: string } }[];
			return listed.find((each) => each.id === id)?.lastRun.threadId ?? '';
		};
		try {
			await user.runs(['run', '/help', '--trust']);
			const added = await user.runs(['schedule', 'add', 'every hour', 'Look into a.txt', '--mode', 'agent']);
			const id = added.stdout.trim();
			denied('tools');
			await runsNow(id);
			assert.doesNotMatch(JSON.stringify(server.requests[0]?.body['tools'] ?? []), /fs_read/);
			assert.doesNotMatch(server.requests[1]?.text ?? '', /alpha/);
			denied('send');
			const threadId = await runsNow(id);
			assert.equal(server.requests.length, 2);
			const traces = await user.runs(['trace', 'list', threadId, '--json']);
			assert.match(traces.stdout, /"stage": ?"AuthResolve"[^}]*"outcome": ?"ACCESS_DENIED"/);
			const shown = await user.runs(['thread', 'show', threadId]);
			assert.match(shown.stdout, /You do not let schedules ask models: see prowess\.access\.deny/);
			// The same person at the command line.
			assert.equal((await user.prompts(server.baseUrl, 'Say it').ended).code, 0);
		} finally {
			await server.close();
		}
	});
});
