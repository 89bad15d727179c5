/** `prowess serve`: the real CLI as a background host, its folder processes, a model server on this machine, and kills. */
import assert from 'node:assert/strict';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, type RunningCli, User } from './cli-process.ts';

interface State {
	readonly pid: number;
	readonly nextDue: number | null;
	readonly working: readonly { readonly folder: string; readonly pid: number }[];
	readonly waiting: readonly { readonly folder: string; readonly why: string }[];
	readonly ended: readonly { readonly kind: string; readonly title: string; readonly state: string }[];
}

describe('prowess serve', function () {
	this.timeout(3 * commandLimitMs);
	let user: User;
	let server: ModelServer;
	let running: RunningCli[];
	beforeEach(() => {
		running = [];
		user = new User();
		user.writes('a.txt', 'alpha\n');
	});
	afterEach(async () => {
		running.forEach(({ child }) => child.kill('SIGTERM'));
		await Promise.all(running.map(({ ended }) => ended));
		await server.close();
	});

	const model = () => ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'm'];
	const serves = (env: Record<string, string> = {}) => user.serves(running, server.baseUrl, [], { env });
	const state = async () => JSON.parse((await user.runs(['serve', 'status', '--json'])).stdout) as State | null;
	const trust = () => user.runs(['run', '/help', '--trust']);
	const schedule = async (text: string, ...options: string[]) => {
		const id = (await user.runs(['schedule', 'add', '* * * * *', text, ...options])).stdout.trim();
		// Sets the next time into the past, so the schedule is due.
		const db = new DatabaseSync(join(user.home, 'schedules.db'));
		db.prepare('UPDATE schedule SET next_due = ? WHERE id = ?').run(Date.now() - 30_000, id);
		db.close();
	};
	const isAlive = (pid: number) => {
		try {
			process.kill(pid, 0);
			return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
		} catch {
			return false;
		}
	};

	it('carries out what is due with the key it was started with, says so, and ends when it is stopped', async () => {
		server = await startModelServer(() => ({ text: 'All is well.' }));
		await trust();
		await schedule('Look at a.txt');
		const serving = await serves({ PROWESS_API_KEY: 'key-of-serve' });
		await serving.hasPrinted('"Look at a.txt"');
		assert.match(serving.stdout, /schedule "Look at a\.txt" in .*: done, thread thr_/);
		assert.equal(server.requests[0]?.headers['authorization'], 'Bearer key-of-serve');
		const now = await state();
		assert.equal(now?.pid, serving.pid);
		assert.deepEqual(now?.ended.map(({ kind, title, state: how }) => [kind, title, how]).at(-1), [
			'schedule',
			'Look at a.txt',
			'done',
		]);
		assert.notEqual(now?.nextDue, null);
		const shown = await user.runs(['serve', 'status']);
		assert.match(shown.stdout, new RegExp(`^Running: process ${serving.pid} since `));
		const stopped = await user.runs(['serve', 'stop']);
		assert.equal(stopped.code, 0, stopped.stderr);
		assert.equal((await serving.ended).code, 0);
		const none = await user.runs(['serve', 'status']);
		assert.equal(none.code, 1);
		assert.match(none.stderr, /Nothing works in the background/);
		assert.equal((await user.runs(['serve', 'stop'])).code, 1);
		assert.equal(existsSync(join(user.home, 'background/host.json')), false);
	});

	it('runs once in a home: another one says who does, also right after a kill of one before', async () => {
		server = await startModelServer([]);
		const killed = await serves();
		killed.child.kill('SIGKILL');
		await killed.ended;
		const serving = await serves();
		const second = await user.runs(['serve', ...model()]);
		assert.equal(second.code, 1);
		assert.match(second.stderr, new RegExp(`runs in the background already: process ${serving.pid}, since 20`));
		assert.equal((await state())?.pid, serving.pid);
	});

	it('goes on with a goal that a kill has cut off, and no process outlives the kill', async () => {
		const done = { toolCalls: [{ name: 'goal_verdict', input: { verdict: 'done' } }] };
		server = await startModelServer([
			{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] },
			{ then: 'stall' },
			done,
			{ text: 'One.' },
			done,
			{ text: 'Two.' },
		]);
		await trust();
		const added = await user.runs([
			'goal',
			'add',
			'Ship it',
			'--step',
			'Read a.txt',
			'--step',
			'Say it',
			'--mode',
			'ask',
		]);
		const goal = user.starts(['goal', 'run', added.stdout.trim(), ...model()]);
		await server.request(1);
		goal.child.kill('SIGKILL');
		await goal.ended;
		const first = await serves();
		await server.request(2);
		const worker = (await state())?.working[0]?.pid ?? 0;
		assert.ok(isAlive(worker));
		first.child.kill('SIGKILL');
		await first.ended;
		await waitFor('the process of the folder ends', () => !isAlive(worker), commandLimitMs);
		const second = await serves();
		await second.hasPrinted('goal "Ship it"');
		assert.match(second.stdout, /goal "Ship it" in .*: done, thread thr_/);
		const [listed] = JSON.parse((await user.runs(['goal', 'list', '--json'])).stdout) as { readonly state: string }[];
		assert.equal(listed?.state, 'done');
	});

	it('refuses what it would have to ask', async () => {
		server = await startModelServer((n) =>
			n === 0
				? { toolCalls: [{ name: 'fs_write', input: { path: 'b.txt', content: 'x' } }] }
				: { text: 'Nothing done.' },
		);
		await trust();
		await schedule('Write b.txt', '--mode', 'agent', '--questions', 'wait');
		const serving = await serves();
		await serving.hasPrinted('"Write b.txt"');
		assert.equal(existsSync(join(user.workspace, 'b.txt')), false);
		assert.match(server.requests[1]?.text ?? '', /fs_write/);
	});

	it('works in no folder that is not trusted, and leaves reminders to those who see them', async () => {
		server = await startModelServer([]);
		await schedule('Look at a.txt');
		await user.runs(['schedule', 'add', '* * * * *', 'Drink', '--reminder']);
		const serving = await serves();
		await waitFor('it says so', () => serving.stderr.includes('is not trusted'), commandLimitMs);
		assert.deepEqual(
			(await state())?.waiting.map(({ why }) => why),
			['untrusted'],
		);
		assert.equal(server.requests.length, 0);
	});

	it('can be reached by its user only', async () => {
		server = await startModelServer([]);
		await serves();
		const { address } = JSON.parse(readFileSync(join(user.home, 'background/host.json'), 'utf8')) as {
			address: string;
		};
		const mode = (path: string) => lstatSync(path).mode & 0o777;
		assert.equal(mode(address), 0o600);
		assert.equal(mode(dirname(address)), 0o700);
		assert.equal(mode(join(user.home, 'background')), 0o700);
		assert.equal(mode(join(user.home, 'background/host.json')), 0o600);
	});
});
