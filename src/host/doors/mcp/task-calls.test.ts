import assert from 'node:assert/strict';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { type CallToolResult, Server } from '@modelcontextprotocol/server';
import { testHost } from '../../../../test/support/host-ports.ts';
import { newId } from '../../../protocol/rpc/ids.ts';
import * as z from '../../../protocol/text/zod.ts';
import type { OpOutcome } from '../../../protocol/turn/broker.ts';
import { Clients } from '../clients.ts';
import { mcpDoorLimits } from '../limits.ts';
import { AskedCalls } from './asked-calls.ts';
import { TaskCalls } from './task-calls.ts';

const Anything = z.looseObject({});

describe('Tasks of an MCP client', () => {
	const host = testHost();
	let client: Client;
	let server: Server;
	let calls: AskedCalls;
	let tasks: TaskCalls;
	let logged: string[];
	beforeEach(async () => {
		host.change({ 'prowess.access.deny': {} });
		const admitted = new Clients(host.ports.settings).admit({ principal: 'mcp' });
		calls = new AskedCalls();
		logged = [];
		tasks = new TaskCalls({
			calls,
			ask: () => Promise.resolve(undefined),
			check: (right) => admitted.check(right),
			log: (message) => void logged.push(message),
		});
		client = new Client({ name: 'spec', version: '1' });
		server = new Server({ name: 'prowess', version: '1' }, { capabilities: { tools: {}, tasks: { list: {} } } });
		tasks.serve(server);
		const [here, there] = InMemoryTransport.createLinkedPair();
		await Promise.all([server.connect(there), client.connect(here)]);
	});
	afterEach(async () => {
		calls.stop(new Error('the spec is over'));
		await client.close();
		await server.close();
	});

	function begin(finish: () => CallToolResult = () => ({ content: [] })) {
		const end = Promise.withResolvers<OpOutcome>();
		const stop = (reason: unknown) => end.reject(reason);
		const call = calls.begin({ opId: newId('op'), op: 'shell_run', outcome: end.promise, isAskable: true, stop });
		return { ...tasks.begin(60_000, call, finish).task, end };
	}
	const done = { status: 'done', result: {} } as unknown as OpOutcome;
	const asks = (method: string, taskId: string) => client.request({ method, params: { taskId } }, Anything);

	it('fail at once where the words about what was done cannot be made, and say so in the log alone', async () => {
		const { taskId, end } = begin(() => {
			throw new Error('canary of the fault');
		});
		const result = asks('tasks/result', taskId);
		end.resolve(done);
		const said = JSON.stringify(await result);
		assert.match(said, /INTERNAL: the end of the call could not be told/);
		assert.doesNotMatch(said, /canary/);
		assert.deepEqual(logged, ['a task has no result: canary of the fault']);
		assert.equal((await asks('tasks/get', taskId))['status'], 'failed');
		assert.equal(calls.size, 0);
	});

	it('fail at once where the call ends without an outcome, and take no place of others any more', async () => {
		const { taskId, end } = begin();
		const result = asks('tasks/result', taskId);
		end.reject(new Error('the host has gone'));
		assert.match(JSON.stringify(await result), /INTERNAL/);
		assert.equal((await asks('tasks/get', taskId))['status'], 'failed');
		assert.equal(calls.size, 0);
	});

	it('are told, given and ended as long as their client has the right to it', async () => {
		const { taskId, end } = begin();
		host.change({ 'prowess.access.deny': { mcp: ['prompt'] } });
		assert.equal((await asks('tasks/get', taskId))['status'], 'working');
		await assert.rejects(asks('tasks/cancel', taskId), /ACCESS_DENIED/);
		const result = asks('tasks/result', taskId);
		await asks('tasks/get', taskId);
		host.change({ 'prowess.access.deny': { mcp: ['look'] } });
		end.resolve(done);
		await assert.rejects(result, /ACCESS_DENIED/);
		for (const method of ['tasks/get', 'tasks/result', 'tasks/list']) {
			await assert.rejects(asks(method, taskId), /ACCESS_DENIED: .*see prowess\.access\.deny/);
		}
	});

	it('keep a bounded number of requests waiting, and tell the one beyond how to go on', async () => {
		const { taskId, end } = begin();
		const waiting = Array.from({ length: mcpDoorLimits.taskWaits }, () => asks('tasks/result', taskId));
		await assert.rejects(asks('tasks/result', taskId), /at most 64 requests wait.*tasks\/get/);
		end.resolve(done);
		await Promise.all(waiting);
		assert.deepEqual((await asks('tasks/result', taskId))['content'], []);
	});
});
