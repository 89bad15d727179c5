import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { processTree, runningProcesses, waitUntilGone } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, eventsOf, type RunningCli, User } from './cli-process.ts';

/** A program that ignores the polite signals and starts one that does too. */
const stubborn = `
	process.on('SIGTERM', () => {});
	process.on('SIGINT', () => {});
	if (process.argv[2] !== 'child') {
		require('node:child_process').spawn(process.execPath, [__filename, 'child'], { stdio: 'inherit' });
	}
	require('node:fs').writeFileSync(process.argv[2] === 'child' ? 'child.pid' : 'parent.pid', String(process.pid));
	setInterval(() => {}, 1000);
`;

describe('prowess: being stopped', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;
	beforeEach(() => {
		user = new User();
	});
	afterEach(async () => {
		await server.close();
	});

	async function begin(script: Script, words: string[] = []): Promise<RunningCli> {
		server = await startModelServer(script);
		return user.promptsApart(server.baseUrl, 'x', ['--approve', 'full', ...words]);
	}
	const below = (cli: RunningCli) => processTree(cli.pid).map(({ pid }) => pid);
	/** The machine's own ids of what runs that program, once these files say that it does. In a sandbox it sees others. */
	async function running(cli: RunningCli, name: string, ...files: readonly string[]): Promise<number[]> {
		await waitFor(
			`${files.join(' and ')} of ${name}`,
			() => files.every((file) => existsSync(join(user.workspace, file))),
			commandLimitMs,
		);
		const pids = processTree(cli.pid).flatMap(({ pid, commandLine }) => (commandLine.includes(name) ? [pid] : []));
		assert.ok(pids.length >= files.length, `${pids.length} processes of ${name}`);
		return pids;
	}
	async function startStubborn(): Promise<{ cli: RunningCli; pids: number[] }> {
		user.writes('stubborn.cjs', stubborn);
		const cli = await begin([{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', 'stubborn.cjs'] } }] }]);
		return { cli, pids: await running(cli, 'stubborn.cjs', 'parent.pid', 'child.pid') };
	}

	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		it(`stops an answer at ${signal}: exit code 130, and nothing left running`, async () => {
			const cli = await begin([{ chunks: ['Begun'], then: 'stall' }]);
			await cli.hasPrinted('Begun');
			const pids = below(cli);
			assert.equal(pids.length, 2, JSON.stringify(processTree(cli.pid)));
			cli.child.kill(signal);
			const { code, stdout } = await cli.ended;
			assert.equal(code, 130);
			assert.equal(stdout, 'Begun\n');
			await waitUntilGone(pids, commandLimitMs);
		});
	}

	it('ends its JSON with the stopped turn', async () => {
		const cli = await begin([{ chunks: ['Begun'], then: 'stall' }], ['--json']);
		await cli.hasPrinted('Begun');
		cli.child.kill('SIGINT');
		const result = await cli.ended;
		const end = eventsOf(result).at(-1);
		assert.equal(result.code, 130);
		assert.equal(end?.type === 'turn.end' && end.outcome, 'stopped');
	});

	it('stops before anything has begun', async () => {
		server = await startModelServer([]);
		const cli = user.promptsApart(server.baseUrl, 'x', ['--json']);
		await waitFor('its server', () => below(cli).length > 1, commandLimitMs);
		const pids = below(cli);
		cli.child.kill('SIGINT');
		const result = await cli.ended;
		assert.equal(result.code, 130, result.stderr);
		assert.equal(eventsOf(result).at(-1)?.type, 'turn.end');
		await waitUntilGone(pids, commandLimitMs);
	});

	it('stops a command that will not end, with all that it has started', async () => {
		const { cli, pids } = await startStubborn();
		cli.child.kill('SIGINT');
		const { code } = await cli.ended;
		assert.equal(code, 130);
		await waitUntilGone(pids, commandLimitMs);
	});

	it('ends a server that does not stop the turn in time', async () => {
		const cli = await begin([{ chunks: ['Begun'], then: 'stall' }], ['--json']);
		await cli.hasPrinted('Begun');
		const pids = below(cli);
		const [serverPid, ...others] = pids.filter((pid) => pid !== cli.pid);
		assert.ok(serverPid !== undefined && others.length === 0, JSON.stringify(processTree(cli.pid)));
		process.kill(serverPid, 'SIGSTOP');
		cli.child.kill('SIGINT');
		const result = await cli.ended;
		assert.equal(result.code, 130);
		const end = eventsOf(result).at(-1);
		assert.equal(end?.type === 'turn.end' && end.outcome, 'stopped');
		await waitUntilGone(pids, commandLimitMs);
	});

	it('ends at once at the second Ctrl+C', async () => {
		const cli = await begin([{ chunks: ['Begun'], then: 'stall' }]);
		await cli.hasPrinted('Begun');
		const pids = below(cli);
		cli.child.kill('SIGINT');
		cli.child.kill('SIGINT');
		assert.equal((await cli.ended).code, 130);
		await waitUntilGone(pids, commandLimitMs);
	});

	it('leaves at the second Ctrl+C not even a command behind that will not end', async () => {
		const { cli, pids } = await startStubborn();
		const all = [...below(cli), ...pids];
		cli.child.kill('SIGINT');
		cli.child.kill('SIGINT');
		assert.equal((await cli.ended).code, 130);
		await waitUntilGone(all, commandLimitMs);
	});

	it('leaves no server behind when it is killed', async () => {
		const cli = await begin([{ chunks: ['Begun'], then: 'stall' }]);
		await cli.hasPrinted('Begun');
		const pids = below(cli);
		cli.child.kill('SIGKILL');
		await cli.ended;
		await waitUntilGone(pids, commandLimitMs);
	});

	it('leaves no command behind when it is killed', async () => {
		user.writes(
			'wait.cjs',
			"require('node:fs').writeFileSync('parent.pid', String(process.pid)); setInterval(() => {}, 1000);",
		);
		const cli = await begin([{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', 'wait.cjs'] } }] }]);
		const pids = await running(cli, 'wait.cjs', 'parent.pid');
		cli.child.kill('SIGKILL');
		await cli.ended;
		try {
			await waitUntilGone(pids, commandLimitMs);
		} finally {
			for (const { pid } of runningProcesses().filter((each) => pids.includes(each.pid))) process.kill(pid, 'SIGKILL');
		}
	});

	it('says how its server ended when that is killed, and fails', async () => {
		const cli = await begin([{ chunks: ['Begun'], then: 'stall' }], ['--json']);
		await cli.hasPrinted('Begun');
		const [serverPid] = below(cli).filter((pid) => pid !== cli.pid);
		process.kill(serverPid ?? 0, 'SIGKILL');
		const result = await cli.ended;
		assert.equal(result.code, 1);
		assert.match(result.stderr, /\(SERVER_GONE\)\nThe server process is gone: ended by SIGKILL/);
		const end = eventsOf(result).at(-1);
		assert.equal(end?.type === 'turn.end' && end.error?.code, 'SERVER_GONE');
	});

	it('stops even when its reader has stalled', async () => {
		// More than a pipe holds, and no word twice: a model that repeats itself is stopped by itself.
		const words = Array.from({ length: 90_000 }, (_, n) => `word ${n} `);
		const cli = await begin([{ text: words.join(''), then: 'stall' }]);
		await cli.hasPrinted('word 99');
		cli.child.stdout?.pause();
		const pids = below(cli);
		const exited = new Promise<number | null>((resolve) => cli.child.once('exit', resolve));
		cli.child.kill('SIGINT');
		assert.equal(await exited, 130);
		cli.child.stdout?.resume();
		await waitUntilGone(pids, commandLimitMs);
	});

	it('ends quietly when nobody reads its answer any more', async () => {
		const cli = await begin((n) =>
			n === 0 ? { chunks: Array.from({ length: 2_000 }, () => 'word '), delayMs: 5 } : { text: '' },
		);
		await cli.hasPrinted('word');
		const pids = below(cli);
		cli.child.stdout?.destroy();
		const { code, stderr } = await cli.ended;
		assert.equal(code, 130);
		assert.equal(stderr, '');
		await waitUntilGone(pids, commandLimitMs);
	});
});
