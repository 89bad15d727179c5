/** An agent that goes in circles, through the real CLI, its server and a model over HTTP. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, eventsOf, User } from '../cli/cli-process.ts';

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
		assert.match(
			stdout,
			/Stopped, because the agent got nowhere: many calls in a row failed or were denied\. Go on anyway/,
		);
	});

	it('is stopped when it makes one call for ever, with the reason and the way to go on', async () => {
		const user = new User();
		user.writes('a.ts', 'let a;\n');
		const server = await startModelServer((n) => ({
			toolCalls: [{ name: 'fs_read', input: { path: 'a.ts' }, callId: `call_${n}` }],
		}));
		const { code, stderr } = await user.prompts(server.baseUrl, 'Look around').ended;
		await server.close();
		assert.equal(code, 1, stderr);
		assert.match(stderr, /got nowhere: it made the same calls again and again\. \(GOING_IN_CIRCLES\)/);
		assert.match(stderr, /To go on anyway: "prowess run --thread thr_[\w-]{36}"/);
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

	it('reads once behind its calls what follows from those that failed and were denied', async () => {
		const user = new User();
		user.writes('a.ts', 'let a;\n');
		const server = await startModelServer([
			{
				toolCalls: [
					{ name: 'fs_read', input: { path: 'none.ts' }, callId: 'call_1' },
					{ name: 'fs_write', input: { path: 'b.ts', content: 'x' }, callId: 'call_2' },
					{ name: 'fs_read', input: { path: 'a.ts' }, callId: 'call_3' },
				],
			},
			{ text: 'Neither could be done.' },
		]);
		const { code, stdout, stderr } = await user.prompts(server.baseUrl, 'Look around').ended;
		await server.close();
		assert.equal(code, 0, stderr);
		const told = server.requests.at(-1)?.body['messages'] as { role: string; content: string }[] | undefined;
		const [failed = '', denied = '', read = ''] = (told ?? [])
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => content);
		assert.match(failed, /^NOT_FOUND/);
		assert.match(denied, /^(?:DENIED_BY_RULE|APPROVAL_EXPIRED)/);
		assert.doesNotMatch(failed + denied, /Do not (?:invent|repeat)/);
		assert.match(read, /let a;[^]*\n\[Do not invent .+ Do not repeat a denied call .+\]$/);
		assert.doesNotMatch(stdout + stderr, /Do not (?:invent|repeat)/);
	});

	it('is stopped when it says the same for ever', async () => {
		const user = new User();
		const server = await startModelServer([{ chunks: Array.from({ length: 4_000 }, () => 'I fix it now. ') }]);
		const { code, stdout, stderr } = await user.prompts(server.baseUrl, 'Fix it', ['--json']).ended;
		await server.close();
		assert.equal(code, 1, stderr);
		assert.match(stdout, /"outcome":"failed".*"code":"ANSWER_REPEATS"/);
		assert.ok(stdout.length < 200_000);
	});
});

describe('prowess run: the limit of model calls', function () {
	this.timeout(commandLimitMs);

	function limitCalls(user: User, max: number): void {
		mkdirSync(user.home, { recursive: true });
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify({ 'prowess.agent.maxIterations': max }));
	}

	it('ends the turn with the rounds and the limit in the error, and the thread goes on', async () => {
		const user = new User();
		user.writes('a.ts', 'let a;\n');
		limitCalls(user, 2);
		const read = (offset: number) => ({
			toolCalls: [{ name: 'fs_read', input: { path: 'a.ts', offset }, callId: `call_${offset}` }],
		});
		const server = await startModelServer([read(1), read(2), { text: 'There it is.' }]);
		const first = await user.prompts(server.baseUrl, 'Look', ['--json']).ended;
		assert.equal(first.code, 1, first.stderr);
		assert.equal(server.requests.length, 2);
		const events = eventsOf(first);
		const end = events.at(-1);
		assert.ok(end?.type === 'turn.end' && end.outcome === 'failed');
		assert.deepEqual([end.error?.code, end.error?.facts], ['ITERATION_LIMIT', { rounds: 3, max: 2 }]);
		const offers = events.flatMap((event) =>
			event.type === 'item.start' && event.item.kind === 'notice' ? event.item.actions : [],
		);
		assert.deepEqual(offers, ['continue']);
		const thread = events[0]?.type === 'thread.changed' ? events[0].info.id : '';
		const second = await user.prompts(server.baseUrl, 'continue', ['--thread', thread]).ended;
		await server.close();
		assert.deepEqual([second.code, second.stdout.trim()], [0, 'There it is.'], second.stderr);
	});

	it('says at a terminal how to continue', async () => {
		const user = new User();
		limitCalls(user, 1);
		const server = await startModelServer([{ toolCalls: [{ name: 'fs_list', input: { path: '.' } }] }]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'Look').ended;
		await server.close();
		assert.equal(code, 1, stderr);
		assert.match(stderr, /Stopped at the limit of model calls: 1\. \(ITERATION_LIMIT\)/);
		assert.match(
			stderr,
			/To continue: "prowess run --thread thr_[\w-]{36} continue"\. Or raise prowess\.agent\.maxIterations/,
		);
	});
});

describe('prowess run: an answer', function () {
	this.timeout(commandLimitMs);

	it('that claims what nothing shows is asked about, and then marked', async () => {
		const user = new User();
		const server = await startModelServer(() => ({ text: 'I have updated `a.ts`, and all tests pass.' }));
		const { code, stdout, stderr } = await user.prompts(server.baseUrl, 'Fix a.ts').ended;
		await server.close();
		assert.equal(code, 0, stderr);
		assert.equal(server.requests.length, 2);
		assert.match(JSON.stringify(server.requests.at(-1)?.body['messages']), /No result of a call shows this/);
		assert.match(stderr, /Nothing that ran in this turn shows what the answer says: “I have updated/);
		assert.doesNotMatch(stdout, /No call of this turn/);
	});

	it('that says what a command did is left alone', async () => {
		const user = new User();
		user.writes('a.ts', 'let a;\n');
		const edit = { name: 'fs_edit', input: { path: 'a.ts', edits: [{ find: 'let', replace: 'const' }] } };
		const read = { name: 'fs_read', input: { path: 'a.ts' } };
		const server = await startModelServer([
			{ toolCalls: [read] },
			{ toolCalls: [edit] },
			{ text: 'I have updated `a.ts`.' },
		]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'Fix a.ts', ['--approve', 'auto']).ended;
		await server.close();
		assert.equal(code, 0, stderr);
		assert.equal(server.requests.length, 3);
		assert.doesNotMatch(stderr, /Nothing that ran/);
	});

	it('of silence is empty, and the output says that it is silent', async () => {
		const user = new User();
		const server = await startModelServer([{ chunks: ['NO_', 'REPLY'] }, { chunks: ['[SIL', 'ENT]'] }]);
		const { code, stdout } = await user.prompts(server.baseUrl, 'Only if it matters', ['--json']).ended;
		assert.equal(code, 0);
		assert.match(stdout, /"kind":"text","text":"","done":true,"silent":true/);
		assert.doesNotMatch(stdout, /NO_REPLY/);
		const plain = await user.prompts(server.baseUrl, 'Only if it matters').ended;
		await server.close();
		assert.deepEqual([plain.code, plain.stdout.trim()], [0, '']);
	});
});
