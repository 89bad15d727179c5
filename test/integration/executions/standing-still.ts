/** Stops processes of ours in the middle of a turn, as the sleep of a machine does, and wakes them: the turn goes on. */
import assert from 'node:assert/strict';
import { startModelServer } from '../../support/model-server.ts';
import { processTree } from '../../support/processes.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { User } from '../cli/cli-process.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { serverRequests } from '../../../src/protocol/server.ts';

const signal = new AbortController().signal;

/** Not a wait for something: the time that passes while nothing runs. */
const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Stops the CLI with its server while a command runs whose limit passes meanwhile, although it ended in time. Resolves with what the
 * model read of it, and with what the host logged.
 */
export async function hostStandsStill(forMs: number): Promise<{ result: string; log: string }> {
	const user = new User();
	user.writes('quick.cjs', "console.log('begun'); setTimeout(() => console.log('ended'), 300)");
	const run = { argv: ['node', 'quick.cjs'], timeoutMs: forMs / 2 };
	const model = await startModelServer([{ toolCalls: [{ name: 'shell_run', input: run }] }, { text: 'Good.' }]);
	try {
		const cli = user.promptsApart(model.baseUrl, 'x', ['--approve', 'full', '--json', '--verbose']);
		await cli.hasPrinted('begun');
		const ours = processTree(cli.pid).filter(({ commandLine }) => !commandLine.includes('quick.cjs'));
		assert.ok(ours.length >= 2, JSON.stringify(ours));
		for (const { pid } of ours) process.kill(pid, 'SIGSTOP');
		await pass(forMs);
		for (const { pid } of ours) process.kill(pid, 'SIGCONT');
		const ended = await cli.ended;
		assert.equal(ended.code, 0, ended.stderr);
		assert.equal((await user.runsApart(['ledger', 'verify'])).code, 0);
		const messages = model.requests[1]?.body['messages'] as { role: string; content: string }[];
		return { result: messages.find(({ role }) => role === 'tool')?.content ?? '', log: ended.stderr };
	} finally {
		await model.close();
	}
}

/**
 * Stops the server twice: while the host answers it, and while the model does. The turn must end as if nothing had been.
 * Resolves with what the server logged.
 */
export async function serverStandsStill(duringCallMs: number, duringAnswerMs: number): Promise<readonly string[]> {
	const model = await startModelServer([
		{ toolCalls: [{ name: 'fs_write', input: { path: 'a', content: 'a' } }] },
		{ chunks: ['All ', 'is ', 'well.'], delayMs: 400 },
	]);
	let halts = 0;
	const halt = async (server: ServerUnderTest, forMs: number) => {
		halts += 1;
		server.child.kill('SIGSTOP');
		await pass(forMs);
		server.child.kill('SIGCONT');
	};
	const host = new MemoryHost({});
	const server = await ServerUnderTest.start({
		home: tempDir('home'),
		host,
		modelUrl: model.baseUrl,
		settings: { 'prowess.agent.toolTimeoutSeconds': 1 },
		// The host goes on while the server stands, and answers before it wakes.
		beforePerform: async ({ op }, halted) => void (op === 'fs.write' && halt(halted, duringCallMs)),
	});
	try {
		const { id } = await server.peer.call(threadRequests.create, { modelId: 'test/scripted' }, signal);
		await server.peer.call(threadRequests.prompt, { threadId: id, text: 'Write it' }, signal);
		await server.event((event) => event.type === 'item.delta');
		await halt(server, duringAnswerMs);
		const end = await server.event(({ type }) => type === 'turn.end');
		assert.deepEqual([end.type === 'turn.end' && end.outcome, halts], ['done', 2]);
		const { items } = await server.peer.call(threadRequests.open, { threadId: id }, signal);
		assert.deepEqual(
			items.map((item) => (item.kind === 'tool' ? item.status : item.kind === 'text' ? item.text : item.kind)),
			['user', 'done', 'All is well.'],
		);
		assert.equal(model.requests.length, 2);
		// The server answers requests, and no effect of the turn happened twice.
		await server.peer.call(serverRequests.doctor, {}, signal);
		assert.equal(host.performed.filter(({ op }) => op === 'fs.write').length, 1);
		return server.logged;
	} finally {
		await server.stop();
		await model.close();
	}
}
