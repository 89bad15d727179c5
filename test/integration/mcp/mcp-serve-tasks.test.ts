/** Calls that `prowess mcp serve` carries out as tasks, driven by the official client as a client of 2025-11-25. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client, RELATED_TASK_META_KEY, type Transport } from '@modelcontextprotocol/client';
import { mcpDoorLimits } from '../../../src/host/doors/limits.ts';
import { callAsTask } from '../../../src/execution/mcp/task-call.ts';
import * as z from '../../../src/protocol/text/zod.ts';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { LinesHere } from '../../support/lines-here.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const never = new AbortController().signal;
const Anything = z.looseObject({});
const Created = z.looseObject({ task: z.looseObject({ taskId: z.string(), status: z.string(), ttl: z.number() }) });
const State = z.looseObject({ status: z.string() });

describe('A task of prowess mcp serve', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let client: Client;
	let answers: string[];
	/** Each task that a question was about. */
	let askedFor: unknown[];
	beforeEach(async () => {
		user = new User();
		user.sets({ 'prowess.approvals.level': 'auto' });
		user.trusts();
		answers = [];
		askedFor = [];
		client = new Client({ name: 'spec', version: '1' }, { capabilities: { elicitation: { form: {} } } });
		client.setRequestHandler('elicitation/create', ({ params }) => {
			askedFor.push(params._meta?.[RELATED_TASK_META_KEY]);
			return { action: 'accept' as const, content: { answer: answers.shift() ?? 'deny' } };
		});
	});
	afterEach(() => client.close());

	async function connects(level: 'ask' | 'auto'): Promise<void> {
		const words = ['mcp', 'serve', '--workspace', user.workspace, '--level', level];
		const transport = new LinesHere(user.startsHere(words, { isProgram: true }));
		await client.connect(transport as unknown as Transport);
	}
	async function begins(script: string, ttl?: number): Promise<z.infer<typeof Created>['task']> {
		const params = {
			name: 'shell_run',
			arguments: { argv: ['sh', '-c', script] },
			task: ttl === undefined ? {} : { ttl },
		};
		return (await client.request({ method: 'tools/call', params }, Created)).task;
	}
	async function asks(method: string, taskId: string, schema = Anything) {
		return await client.request({ method, params: { taskId } }, schema);
	}
	const stateOf = async (taskId: string) =>
		(await client.request({ method: 'tasks/get', params: { taskId } }, State)).status;
	async function rows(): Promise<readonly LedgerRow[]> {
		const { stdout } = await user.runs(['ledger', 'list', '--json', '--op', 'shell.run']);
		return JSON.parse(stdout) as LedgerRow[];
	}

	it('is refused for a tool that takes none, for a time that is none, and by an id that is unknown', async () => {
		await connects('auto');
		const params = { name: 'fs_list', arguments: {}, task: {} };
		await assert.rejects(
			client.request({ method: 'tools/call', params }, Anything),
			/fs_list is not carried out as a task/,
		);
		await assert.rejects(begins('echo no', -1), /ttl is a number of milliseconds above 0/);
		for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
			await assert.rejects(asks(method, 'none'), /there is no task "none"/);
		}
		const { tools } = await client.listTools();
		const long = tools.filter(({ execution }) => execution?.taskSupport === 'optional').map(({ name }) => name);
		assert.deepEqual(long, ['capability_start', 'shell_run']);
	});

	it('is refused with an error where its client may ask for nothing, because a result would be no task', async () => {
		user.sets({ 'prowess.approvals.level': 'auto', 'prowess.access.deny': { mcp: ['prompt'] } });
		await connects('auto');
		await assert.rejects(begins('echo no'), /ACCESS_DENIED/);
	});

	it('that has just ended is kept longer than those that ended before it, although it began first', async () => {
		await connects('auto');
		const { taskId } = await begins('while [ ! -e go ]; do sleep 0.05; done; echo done');
		const params = { name: 'capability_start', arguments: { capability: 'none' }, task: {} };
		const endsAtOnce = async () => {
			const { task } = await client.request({ method: 'tools/call', params }, Created);
			await asks('tasks/result', task.taskId);
			return task.taskId;
		};
		const first = await endsAtOnce();
		for (let kept = 2; kept < mcpDoorLimits.tasks; kept += 1) await endsAtOnce();
		assert.equal(await stateOf(first), 'failed');
		user.writes('go', '');
		assert.match(JSON.stringify(await asks('tasks/result', taskId)), /done/);
		await endsAtOnce();
		assert.equal(await stateOf(taskId), 'completed');
		await assert.rejects(stateOf(first), /there is no task/);
	});

	it('ends with its process when it is cancelled, and stays cancelled', async () => {
		await connects('auto');
		const { taskId } = await begins('echo $$ > pid; exec sleep 600');
		await waitFor('the command', () => existsSync(join(user.workspace, 'pid')), commandLimitMs);
		assert.equal(await stateOf(taskId), 'working');
		assert.equal((await asks('tasks/cancel', taskId))['status'], 'cancelled');
		const result = await asks('tasks/result', taskId);
		assert.match(JSON.stringify(result), /CANCELLED/);
		assert.equal(await stateOf(taskId), 'cancelled');
		await assert.rejects(asks('tasks/cancel', taskId), /has ended: cancelled/);
		const isCancelled = async () => (await rows()).some(({ status }) => status === 'cancelled');
		await waitFor('the end in the ledger', isCancelled, commandLimitMs);
	});

	it('is stopped and forgotten at the end of its time to live', async () => {
		await connects('auto');
		const { taskId, ttl } = await begins('exec sleep 600', 300);
		assert.equal(ttl, 300);
		await assert.rejects(asks('tasks/result', taskId), /there is no task/);
		// A busy machine may not have begun the command.
		const count = async (kind: LedgerRow['kind']) => (await rows()).filter((row) => row.kind === kind).length;
		await waitFor('its end', async () => (await count('intent')) === (await count('outcome')), commandLimitMs);
	});

	it('answers at once, is followed by its state, and gives the result of the command', async () => {
		await connects('auto');
		const { taskId, status } = await begins('while [ ! -e go ]; do sleep 0.05; done; echo done');
		assert.equal(status, 'working');
		const { tasks } = await client.request(
			{ method: 'tasks/list', params: {} },
			z.looseObject({ tasks: z.array(State) }),
		);
		assert.equal(tasks.length, 1);
		user.writes('go', '');
		const result = await asks('tasks/result', taskId);
		assert.match(JSON.stringify(result), /done/);
		assert.deepEqual(result['_meta'], { 'io.modelcontextprotocol/related-task': { taskId } });
		assert.equal(await stateOf(taskId), 'completed');
	});

	it('asks its client while the result is waited for, and fails after a no', async () => {
		await connects('ask');
		const call = { name: 'shell_run', arguments: { argv: ['sh', '-c', 'echo hello'] } };
		const told: string[] = [];
		const follow = () => callAsTask(client, call, {}, (line) => told.push(line), never);
		answers = ['once'];
		assert.match(JSON.stringify(await follow()), /hello/);
		assert.ok(told.some((each) => each.startsWith('input_required')));
		assert.match(JSON.stringify(await follow()), /DENIED_BY_USER/);
		assert.deepEqual(answers, []);
		const named = z.array(z.strictObject({ taskId: z.string() }));
		assert.equal(new Set(named.parse(askedFor).map(({ taskId }) => taskId)).size, 2);
	});
});
