/** Sub-agents from the command line: the real CLI, its server, and a model server on this machine that plays all of them. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	type ModelServer,
	type RecordedRequest,
	type ScriptEntry,
	startModelServer,
} from '../../support/model-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from './cli-process.ts';

interface Shown {
	readonly id: string;
	readonly name: string;
	readonly state: string;
	readonly outcome?: string;
	readonly tokens: number;
	readonly level: number;
}

describe('Sub-agents of prowess run', function () {
	this.timeout(3 * commandLimitMs);
	let user: User;
	let server: ModelServer;
	beforeEach(() => {
		user = new User();
		user.writes('a.txt', 'alpha\n');
		user.writes('b.txt', 'beta\n');
	});
	afterEach(async () => server.close());

	const lastOf = ({ body }: RecordedRequest) => {
		const messages = body['messages'] as { role: string; content: unknown }[];
		return JSON.stringify(messages.at(-1));
	};
	const spawn = (task: string, more: object = {}) => ({ name: 'agent_spawn', input: { task, ...more } });
	const readJson = async <T>(words: readonly string[]): Promise<T> =>
		JSON.parse((await user.runs([...words, '--json'])).stdout) as T;
	/** Sub-agents of all threads. */
	const shown = async (): Promise<Shown[]> => {
		const rows = await readJson<{ id: string; kind: string }[]>(['agent', 'list']);
		const agents = rows.filter(({ kind }) => kind === 'agent');
		return Promise.all(agents.map(({ id }) => readJson<Shown>(['agent', 'show', id])));
	};

	it('count for what the prompt may cost', async () => {
		const usage = { input: 1_000, output: 0 };
		const script = (_n: number, request: RecordedRequest): ScriptEntry =>
			request.text.includes('You are a sub-agent')
				? { usage: { input: 5_000, output: 0 }, text: 'Looked.' }
				: lastOf(request).includes('Have it looked at')
					? { usage, toolCalls: [spawn('Look into a.txt')] }
					: { usage, text: 'Not to be asked for.' };
		server = await startModelServer(script);
		user.sets({
			'prowess.models.settings': { 'openai-compatible/scripted': { price: { input: 1_000, output: 1_000 } } },
		});
		// The request of the agent costs one dollar, that of its sub-agent five.
		const words = ['--approve', 'full', '--max-cost', '4', '--json'];
		const limited = await user.prompts(server.baseUrl, 'Have it looked at', words).ended;
		assert.equal(limited.code, 1, limited.stdout);
		assert.match(limited.stdout, /"COST_LIMIT"/);
		assert.equal(server.requests.length, 2);
		const { info } = JSON.parse(limited.stdout.split('\n', 1)[0] ?? '') as { info: { id: string } };
		const more = ['--thread', info.id, '--max-cost', '4'];
		const next = await user.prompts(server.baseUrl, 'Go on', more).ended;
		assert.equal(next.stdout, 'Not to be asked for.\n', next.stderr);
	});

	it('work side by side, each with its own tools and mode, and report to the agent that started them', async () => {
		const open = Promise.withResolvers<void>();
		let begun = 0;
		const usage = { input: 100, output: 10 };
		const script = (_n: number, request: RecordedRequest): ScriptEntry => {
			const last = lastOf(request);
			if (last.includes('Read both files')) {
				return {
					usage,
					toolCalls: [
						spawn('First: look into a.txt', { name: 'first', mode: 'ask' }),
						spawn('Second: look into b.txt', { name: 'second', tools: ['fs_read'] }),
					],
				};
			}
			if (/First: look|Second: look/.test(last)) {
				begun += 1;
				if (begun === 2) open.resolve();
				const [, file] = /(\w\.txt)/.exec(last) ?? [];
				const write = { name: 'fs_write', input: { path: `new-${file}`, content: 'x' } };
				return { usage, toolCalls: [{ name: 'fs_read', input: { path: file } }, write] };
			}
			if (/fs_write|not available|not among/.test(last) && request.text.includes('You are a sub-agent')) {
				return { usage, text: request.text.includes('alpha') ? 'It says alpha.' : 'It says beta.' };
			}
			return { usage, text: `Both: ${/alpha/.test(request.text)} ${/beta/.test(request.text)}` };
		};
		server = await startModelServer(script);
		const { code, stdout, stderr } = await user.prompts(server.baseUrl, 'Read both files', ['--approve', 'full']).ended;
		assert.equal(code, 0, stderr);
		await open.promise;
		assert.match(stdout, /Both: true true/);
		assert.equal(existsSync(join(user.workspace, 'new-a.txt')), false);
		assert.equal(existsSync(join(user.workspace, 'new-b.txt')), false);
		// Either may have been started first.
		const agents = (await shown()).toSorted((one, other) => one.name.localeCompare(other.name));
		assert.deepEqual(
			agents.map(({ name, state, outcome, tokens, level }) => [name, state, outcome, tokens, level]),
			[
				['first', 'suspended', 'done', 220, 1],
				['second', 'suspended', 'done', 220, 1],
			],
		);
		const [first] = agents;
		const all = (await user.runs(['agent', 'list'])).stdout;
		assert.match(all, /^thr_\S+ {2}resting {4}thread Read both files: \d+ tokens/m);
		assert.match(all, new RegExp(`^${first?.id} {2}resting {4}sub-agent first: Done, 220 tokens`, 'm'));
		const one = await user.runs(['agent', 'show', first?.id ?? '']);
		assert.match(one.stdout, /first: Done, 220 tokens[^]*First: look into a\.txt\n\nIt says alpha\./);
		// The sub-agent has a thread of its own, which the list of conversations leaves out.
		assert.doesNotMatch((await user.runs(['thread', 'list'])).stdout, /first/);
		assert.match((await user.runs(['ledger', 'list', '--op', 'agent.spawn'])).stdout, /Start sub-agent: first/);
		const reads = await user.runs(['ledger', 'list', '--op', 'fs.read', '--json']);
		assert.equal(reads.stdout.match(/; by a sub-agent of thr_/g)?.length, reads.stdout.match(/"decision"/g)?.length);
		assert.equal((await user.runs(['agent', 'stop', first?.id ?? ''])).stderr, `Ended: ${first?.id}\n`);
		assert.equal((await shown()).find(({ id }) => id === first?.id)?.state, 'terminated');
	});

	it('send nothing beyond the budget that they were given, and say so', async () => {
		const usage = { input: 100, output: 0 };
		const list = { name: 'fs_list', input: {} };
		const script = (_n: number, request: RecordedRequest): ScriptEntry => {
			const last = lastOf(request);
			if (last.includes('Hand it on')) return { toolCalls: [spawn('Look around', { budget: { tokens: 50 } })] };
			return last.includes('"user"') ? { usage, toolCalls: [list] } : { text: 'Told.' };
		};
		server = await startModelServer(script);
		const { code, stderr } = await user.prompts(server.baseUrl, 'Hand it on').ended;
		assert.equal(code, 0, stderr);
		assert.equal(server.requests.length, 3);
		assert.match(server.requests[2]?.text ?? '', /its last turn failed[^]*quota/i);
	});

	it('of a project lead a thread of the user with --agent, with its instructions and its tools only', async () => {
		user.writes(
			'.github/agents/reader.agent.md',
			'---\ntools: [read]\nhandoffs:\n  - label: Build it\n    agent: builder\n    prompt: Don’t wait\n  - label: Fly\n    agent: nobody\n    prompt: Up\n---\nAnswer in capitals.\n',
		);
		user.writes('.github/agents/builder.agent.md', 'Build what is asked for.\n');
		const write = { name: 'fs_write', input: { path: 'new.txt', content: 'x' } };
		server = await startModelServer([{ toolCalls: [write] }, { text: 'DONE.' }]);
		const asks = await user.prompts(server.baseUrl, 'Look', ['--agent', 'reader']).ended;
		assert.equal(asks.code, 1);
		assert.match(asks.stderr, /needs your consent/);
		const file = join(user.workspace, '.github/agents/reader.agent.md');
		assert.equal((await user.runs(['agent', 'allow', file])).code, 0);
		const { code, stderr } = await user.prompts(server.baseUrl, 'Look', ['--agent', 'reader', '--approve', 'full'])
			.ended;
		assert.equal(code, 0, stderr);
		assert.match(stderr, /^Next, Build it: prowess run --agent builder 'Don’t wait'$/m);
		// An agent that is not there is offered to nobody.
		assert.doesNotMatch(stderr, /Fly/);
		const [first] = server.requests;
		assert.match(JSON.stringify((first?.body['messages'] as unknown[] | undefined)?.[0]), /Answer in capitals/);
		assert.doesNotMatch(first?.text ?? '', /You are a sub-agent/);
		assert.doesNotMatch(JSON.stringify(first?.body['tools']), /"fs_write"/);
		assert.equal(existsSync(join(user.workspace, 'new.txt')), false);
		assert.match((await user.runs(['thread', 'list'])).stdout, /Look/);
		assert.deepEqual(await shown(), []);
	});

	it('have their file say how many earlier messages, which rounds and which temperature their turns have', async () => {
		user.writes(
			'.github/agents/brief.agent.md',
			'---\nearlierMessages: 2\nmaxTurns: 1\ntemperature: 0.5\n---\nAnswer in capitals.\n',
		);
		user.sets({ 'prowess.agent.limits': { earlierMessages: 4 } });
		const list = (path: string) => ({ toolCalls: [{ name: 'fs_list', input: { path } }] });
		server = await startModelServer([{ text: 'A.' }, { text: 'B.' }, list('.'), list('..')]);
		const words = ['--agent', 'brief', '--approve', 'auto', '--json'];
		const first = await user.prompts(server.baseUrl, 'Apples', words).ended;
		assert.equal(first.code, 0, first.stderr);
		const { info } = JSON.parse(first.stdout.split('\n', 1)[0] ?? '') as { info: { id: string } };
		const next = (prompt: string) => user.prompts(server.baseUrl, prompt, ['--thread', info.id, '--json']).ended;
		await next('Pears');
		const last = await next('Plums');
		assert.match(last.stdout, /"ITERATION_LIMIT"[^}]*"rounds":2,"max":1/);
		assert.deepEqual(
			['Apples', 'Pears', 'Plums'].filter((word) => server.requests[2]?.text.includes(word)),
			['Pears', 'Plums'],
		);
		assert.deepEqual(
			server.requests.map(({ body }) => body['temperature']),
			[0.5, 0.5, 0.5, 0.5],
		);
	});

	it('are waited for as long as the environment says, 0 for ever, and go on by themselves after that', async () => {
		const script = (_n: number, request: RecordedRequest): ScriptEntry =>
			lastOf(request).includes('Hand it on')
				? { toolCalls: [spawn('Take your time')] }
				: request.text.includes('You are a sub-agent')
					? { chunks: ['At', ' last.'], delayMs: 2_500 }
					: { text: 'Told.' };
		server = await startModelServer(script);
		const told = async (seconds: string) => {
			const env = { PROWESS_AGENT_TIMEOUT_SECS: seconds };
			const { code, stderr } = await user.prompts(server.baseUrl, 'Hand it on', [], { env }).ended;
			assert.equal(code, 0, stderr);
			return server.requests.map(lastOf).findLast((last) => last.includes('"role":"tool"')) ?? '';
		};
		assert.match(
			await told('1'),
			/is running, 0 tokens\.[^]*It goes on\. Call agent_send with its id to wait for its report/,
		);
		assert.match(await told('0'), /its last turn done, 15 tokens\.[^]*At last\./);
	});

	it('that a kill of the whole host cuts off end as interrupted, once, and the agent is still there', async () => {
		const script = (_n: number, request: RecordedRequest): ScriptEntry =>
			lastOf(request).includes('Hand it on') ? { toolCalls: [spawn('Wait for ever')] } : { then: 'stall' };
		server = await startModelServer(script);
		const running = user.promptsApart(server.baseUrl, 'Hand it on');
		await server.request(2);
		running.child.kill('SIGKILL');
		await running.ended;
		let agents: Shown[] = [];
		await waitFor(
			'the agent to be interrupted',
			async () => (agents = await shown())[0]?.state === 'suspended',
			commandLimitMs,
		);
		assert.equal(agents[0]?.outcome, 'interrupted');
		const thread = JSON.parse((await user.runs(['thread', 'show', agents[0]?.id ?? '', '--json'])).stdout) as {
			items: { kind: string; text?: string }[];
		};
		const notices = thread.items.filter(({ kind }) => kind === 'notice');
		assert.equal(notices.length, 1, JSON.stringify(thread.items));
		assert.match(readFileSync(join(user.home, 'agents.json'), 'utf8'), /"outcome": "interrupted"/);
	});
});
