/** `prowess work` and the jobs of `prowess serve`: real processes, a real repository, a model server on this machine, and kills. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLocalWork } from '../../../src/features/work/open-local-work.ts';
import type { JobRecord } from '../../../src/contract/ports/work-port.ts';
import { toFolderLabel, toJobThreadId, toWorktreeName } from '../../../src/features/work/prompt-job.ts';
import { projectName } from '../../../src/machine/home-files/project-name.ts';
import { PromptResult } from '../../../src/protocol/jobs.ts';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, type RunningCli, User } from './cli-process.ts';

const noStop = new AbortController().signal;

describe('prowess work', function () {
	this.timeout(3 * commandLimitMs);
	let user: User;
	let server: ModelServer;
	let running: RunningCli[];
	let next: ScriptEntry[];

	beforeEach(async () => {
		running = [];
		next = [];
		user = new User();
		user.sets();
		user.writes('a.txt', 'one\ntwo\n');
		git('init', '--quiet');
		git('add', '-A');
		git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'first');
		server = await startModelServer(() => next.shift() ?? { text: 'Done.' });
	});
	afterEach(async () => {
		running.forEach(({ child }) => child.kill('SIGTERM'));
		await Promise.all(running.map(({ ended }) => ended));
		await server.close();
	});

	const git = (...args: string[]) =>
		execFileSync('git', args, { cwd: user.workspace, env: user.environment, encoding: 'utf8' });
	const write = (path: string, content: string): ScriptEntry => ({
		toolCalls: [{ name: 'fs_write', input: { path, content } }],
	});
	const serves = (...words: string[]) => user.serves(running, server.baseUrl, words);
	const refused = async (words: readonly string[], code: string) => {
		const ended = await user.runs(['work', ...words]);
		assert.notEqual(ended.code, 0, words.join(' '));
		assert.match(ended.stderr, new RegExp(code), words.join(' '));
		return ended.stderr;
	};
	const add = async (prompt: string, ...words: string[]) => {
		const { stdout, stderr, code } = await user.runs(['work', 'add', prompt, ...words]);
		assert.equal(code, 0, stderr);
		return stdout.trim();
	};
	const job = async (id: string) => JSON.parse((await user.runs(['work', 'show', id, '--json'])).stdout) as JobRecord;
	/** Resolves with the job when it has ended or waits for an answer. */
	const ended = async (id: string) => {
		const { stdout, stderr } = await user.runs(['work', 'follow', id, '--json']);
		assert.equal(stderr, '');
		return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as JobRecord;
	};
	const resultOf = ({ result, reason }: JobRecord) => PromptResult.safeParse(result).data ?? assert.fail(reason);
	const worktreeFile = async (found: JobRecord, path: string) => {
		const { worktree } = resultOf(found);
		const folder = (await user.runs(['worktree', 'show', worktree, '--path'])).stdout.trim();
		return readFileSync(join(folder, path), 'utf8');
	};
	const workers = async () => {
		const { stdout } = await user.runs(['serve', 'status', '--json']);
		return (JSON.parse(stdout) as { working: { pid: number }[] }).working.map(({ pid }) => pid);
	};
	const rowsOf = async (id: string) =>
		(await user.runs(['ledger', 'list', '--json', '--all', '--limit', '500', '--text', id])).stdout;

	it('refuses what it cannot do, and says what to do instead', async () => {
		await refused(['add', 'Work'], 'WORKSPACE_UNTRUSTED');
		user.trusts();
		assert.match(await refused(['add', ' '], 'prompt'), /work add/);
		assert.match(await refused(['add', 'Work', '--priority', 'high'], 'whole number'), /high/);
		await refused(['add', 'Work', '--priority', '5000'], 'INVALID_PARAMS');
		assert.match(await refused(['add', 'Work', '--label', 'No Label'], 'INVALID_PARAMS'), /No Label/);
		assert.match(await refused(['show', 'job_1'], 'NOT_FOUND'), /work list/);
		await refused(['add', 'Work', 'hard'], 'expected one prompt');
		await refused(['add', 'script', 'gone.yaml'], 'gone.yaml cannot be read');
		user.writes('bad.yaml', 'name: Work\nsteps:\n  - { id: a, op: fs.raed }\n');
		await refused(['add', 'script', join(user.workspace, 'bad.yaml')], 'bad.yaml:3: .*no op "fs.raed"');
		assert.equal((await user.runs(['work', 'list'])).stdout, '');
		const added = await user.runs(['work', 'add', 'Work']);
		assert.match(added.stderr, /prowess serve/);
		const id = added.stdout.trim();
		await refused(['answer', id, 'yes'], 'asks nothing');
		await refused(['retry', id], 'INVALID_STATE');
		assert.equal((await user.runs(['work', 'cancel', id])).code, 0);
		await refused(['cancel', id], 'ended already');
		assert.match((await user.runs(['work', 'list'])).stdout, new RegExp(`^${id} {2}Work\n {4}cancelled, `));
		writeFileSync(join(user.home, 'work.db'), '');
		await refused(['show', id], 'NOT_FOUND');
	});

	it('gives a forged job nothing: no other folder, no wider level', async () => {
		user.trusts();
		const port = openLocalWork(user.home, (error) => assert.fail(String(error)));
		const folder = user.workspace;
		const forge = async (key: string, payload: Readonly<Record<string, unknown>>, labelled = folder) =>
			(await port.enqueue([{ kind: 'prompt', key, labels: [toFolderLabel(labelled)], payload }], noStop))[0] ?? '';
		const forged = [
			await forge('level', { prompt: 'Work', folder, level: 'full' }),
			await forge('folder', { prompt: 'Work', folder: user.root }),
			await forge('nothing', {}),
			// Longer than what a process of a folder may say in a line.
			await forge('long', { prompt: 'Work', folder: `/${'a'.repeat(120_000)}` }),
		];
		const unreachable = await forge('nul', { prompt: 'Work', folder: '/a\0b' }, '/a\0b');
		const relative = await forge('relative', { prompt: 'Work', folder: '.' }, '.');
		// The one that is read at all, so that somebody comes for the others.
		const honest = await forge('honest', { prompt: 'Work', folder });
		await port.dispose();
		await serves();
		assert.equal((await ended(honest)).state, 'done');
		for (const id of forged) assert.equal((await job(id)).state, 'failed', id);
		assert.match((await job(forged[0] ?? '')).reason ?? '', /level/);
		for (const id of [forged[1], forged[3]]) assert.match((await job(id ?? '')).reason ?? '', /another folder/);
		for (const id of [unreachable, relative]) assert.equal((await job(id)).state, 'waiting');
		assert.equal(server.requests.length, 1);
	});

	it('only reads where there is no sandbox, and says so', async () => {
		user.trusts();
		user.sets({ 'prowess.approvals.level': 'edit', 'prowess.tools.bubblewrapPath': '/nowhere/bwrap' });
		await serves();
		next = [write('n.txt', 'new'), { text: 'I cannot.' }];
		const id = await add('Write n.txt');
		const result = resultOf(await ended(id));
		assert.deepEqual([result.onlyRead, result.changed], [true, 0]);
		assert.match((await user.runs(['work', 'show', id])).stdout, /could only read/);
	});

	it('works on a prompt in a worktree, at the level of the user, and names the job in the ledger', async () => {
		user.trusts();
		user.sets({ 'prowess.approvals.level': 'edit' });
		const serving = await serves();
		next = [write('n.txt', 'new\nlines\n'), { text: 'Done.' }];
		const id = await add('Write n.txt');
		const found = await ended(id);
		assert.equal(found.state, 'done', found.reason);
		const { branch, worktree, ...result } = resultOf(found);
		assert.deepEqual(result, {
			threadId: toJobThreadId(found),
			files: [{ path: 'n.txt', kind: 'added' }],
			changed: 1,
			added: 2,
			removed: 0,
			onlyRead: false,
		});
		assert.equal(branch, `prowess/${worktree}`);
		assert.equal(await worktreeFile(found, 'n.txt'), 'new\nlines\n');
		assert.equal(existsSync(join(user.workspace, 'n.txt')), false);
		assert.match(await rowsOf(id), new RegExp(`for the job ${id}`));
		await serving.hasPrinted(`job "Write n.txt" in ${user.workspace}: done, thread ${toJobThreadId(found)}`);
		const shown = await user.runs(['work', 'show', id]);
		assert.match(shown.stdout, /1 file changed, \+2 -0, in the worktree job-/);
	});

	it('parks a job that must ask, with no process, and goes on with the answer to exactly that', async () => {
		user.trusts();
		await serves();
		next = [write('n.txt', 'first\n')];
		const id = await add('Write n.txt');
		const parked = await ended(id);
		assert.equal(parked.state, 'parked');
		assert.match(
			(await user.runs(['work', 'show', id])).stdout,
			/n\.txt[^]*\+first[^]*prowess work answer job_\S+ yes/,
		);
		await waitFor('its process ends', async () => (await workers()).length === 0, commandLimitMs);
		// Another content is another question.
		next = [write('n.txt', 'second\n')];
		assert.equal((await user.runs(['work', 'answer', id, 'yes'])).code, 0);
		const again = await ended(id);
		assert.equal(again.state, 'parked');
		assert.notEqual(again.question?.id, parked.question?.id);
		next = [write('n.txt', 'second\n'), { text: 'Done.' }];
		await user.runs(['work', 'answer', id, 'yes']);
		await refused(['answer', id, 'yes'], 'INVALID_STATE');
		const found = await ended(id);
		assert.equal(found.state, 'done', found.reason);
		assert.equal(await worktreeFile(found, 'n.txt'), 'second\n');
		assert.equal(found.attempts, 1);
	});

	it('runs a script in a worktree, without a model, and asks for what needs a yes', async () => {
		user.trusts();
		await serves();
		const step = '{ id: one, op: fs.write, with: { path: one.txt, content: first } }';
		user.writes('work.yaml', `name: Work\nsteps:\n  - ${step}\n`);
		const id = await add('script', join(user.workspace, 'work.yaml'));
		const parked = await ended(id);
		assert.equal(parked.state, 'parked', parked.reason);
		assert.match(JSON.stringify(parked.question), /one\.txt/);
		assert.equal((await user.runs(['work', 'answer', id, 'yes'])).code, 0);
		const found = await ended(id);
		assert.equal(found.state, 'done', found.reason);
		assert.equal(await worktreeFile(found, 'one.txt'), 'first');
		assert.equal(existsSync(join(user.workspace, 'one.txt')), false);
		assert.equal(server.requests.length, 0);
	});

	it('stops what is cancelled while the model still answers', async () => {
		user.trusts();
		await serves();
		next = [{ text: 'I begin', then: 'stall' }];
		const id = await add('Work');
		await server.request(1);
		assert.equal((await user.runs(['work', 'cancel', id])).code, 0);
		await server.closed(1);
		assert.equal((await job(id)).state, 'cancelled');
	});

	it('goes on after its worker was killed twice, once in the middle of a command, and repeats nothing', async () => {
		user.trusts();
		user.sets({ 'prowess.approvals.level': 'auto' });
		await serves();
		const kill = async (...answers: ScriptEntry[]) => {
			const [pid] = await workers();
			next = answers;
			process.kill(pid ?? assert.fail('nobody works'), 'SIGKILL');
		};
		next = [{ text: 'I begin', then: 'stall' }];
		const id = await add('Append to n.txt');
		await server.request(1);
		const command = 'echo once >> n.txt; sleep 60';
		await kill({ toolCalls: [{ name: 'shell_run', input: { argv: ['sh', '-c', command] } }] });
		const worktree = join(
			user.home,
			'worktrees',
			projectName([user.workspace]),
			toWorktreeName({ id, group: undefined }),
		);
		const file = join(worktree, 'n.txt');
		const hasEffect = () => existsSync(file) && readFileSync(file, 'utf8') === 'once\n';
		await waitFor('it has its effect', hasEffect, commandLimitMs);
		await kill();
		const found = await ended(id);
		assert.deepEqual([found.state, found.attempts], ['done', 3], found.reason);
		assert.equal(await worktreeFile(found, 'n.txt'), 'once\n');
		const told = server.requests.at(-1)?.text ?? '';
		assert.equal(told.split('look before you do').length, 3);
		assert.equal(told.split('Append to n.txt').length, 2);
		assert.match(told, /may or may not have had an effect/);
	});

	it('tells all to a machine that has nothing of what others began, and brings the answer there', async () => {
		user.trusts();
		const port = openLocalWork(user.home, (error) => assert.fail(String(error)));
		const labels = [toFolderLabel(user.workspace)];
		const prompts = { asked: 'Count the pears', begun: 'Count the plums', fresh: 'Count the figs' };
		const ids = new Map<string, string>();
		for (const [key, prompt] of Object.entries(prompts)) {
			const payload = { prompt, folder: user.workspace };
			const [id = ''] = await port.enqueue([{ kind: 'prompt', key, labels, payload }], noStop);
			ids.set(key, id);
		}
		const question = { id: 'q', asks: { kind: 'words', digest: 'd', shown: 'Which?', options: [] } };
		const begun = Promise.withResolvers<void>();
		port.take({ kinds: ['prompt'], labels, mostAtOnce: 1, mostOfGroup: 1 }, async ({ key }, signal) => {
			if (key === 'asked') return { state: 'parked', question };
			begun.resolve();
			return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ends'))));
		});
		await begun.promise;
		await port.dispose();
		const secret = `ghp_${'a1B2'.repeat(9)}`;
		assert.equal((await user.runs(['work', 'answer', ids.get('asked') ?? '', `the first, by ${secret}`])).code, 0);
		for (const name of readdirSync(user.home).filter((each) => each.startsWith('work.db'))) {
			assert.ok(!readFileSync(join(user.home, name), 'latin1').includes(secret), name);
		}
		await serves();
		for (const [key, prompt] of Object.entries(prompts)) {
			assert.equal((await ended(ids.get(key) ?? '')).state, 'done', key);
			const told = server.requests.find(({ text }) => text.includes(prompt))?.text ?? '';
			assert.equal(told.includes('look before you do'), key !== 'fresh', key);
			assert.equal(told.includes('My answer to what you asked (Which?): the first'), key === 'asked', key);
		}
	});

	it('goes on in the same thread when `serve` was told to end meanwhile', async () => {
		user.trusts();
		const serving = await serves();
		next = [{ text: 'I begin', then: 'stall' }];
		const id = await add('Look around');
		await server.request(1);
		serving.child.kill('SIGTERM');
		assert.equal((await serving.ended).code, 0);
		await serves();
		const found = await ended(id);
		assert.equal(found.state, 'done', found.reason);
		const told = server.requests.at(-1)?.text ?? '';
		assert.equal(told.split('Look around').length, 2);
		assert.equal(told.split('look before you do').length, 2);
	});
});
