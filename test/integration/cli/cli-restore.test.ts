/** `prowess thread restore` and `thread redo`: the files and the conversation go back to before a message, in real processes. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from './cli-process.ts';
import { killedAt } from './killed-at.ts';

describe('A restore from the command line', function () {
	this.timeout(commandLimitMs * 2);
	let user: User;
	let server: ModelServer;
	let thread: string;
	let next: ScriptEntry[];

	beforeEach(async () => {
		user = new User();
		next = [];
		server = await startModelServer(() => next.shift() ?? { text: 'Done.' });
	});
	afterEach(() => server.close());

	const path = (name: string) => join(user.workspace, name);
	const text = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : undefined);
	const call = (name: string, input: Readonly<Record<string, unknown>>): ScriptEntry => ({
		toolCalls: [{ name, input }],
	});
	const write = (name: string, content: string) => call('fs_write', { path: name, content });

	/** Runs one turn, in a process of its own, that makes these calls one after the other. */
	async function says(prompt: string, calls: readonly ScriptEntry[] = [], level = 'full'): Promise<void> {
		next = [...calls, { text: 'Done.' }];
		const words = ['--approve', level, ...(thread === '' ? [] : ['--thread', thread])];
		const { code, stderr } = await user.prompts(server.baseUrl, prompt, words).ended;
		assert.equal(code, 0, stderr);
		thread ||= (await user.runs(['thread', 'list'])).stdout.split(' ')[0] ?? '';
	}
	const restore = (message: number, ...words: readonly string[]) =>
		user.runs(['thread', 'restore', thread, String(message), '--yes', ...words]);
	const redo = () => user.runs(['thread', 'redo', thread]);
	const said = async () => (await user.runs(['thread', 'messages', thread])).stdout.replaceAll(/^.{23}/gm, '').trim();
	const told = () => JSON.stringify(server.requests.at(-1)?.body['messages']);

	/** Three turns: one edits and creates, one edits again and deletes, one creates in a new folder. */
	beforeEach(async () => {
		thread = '';
		user.writes('a.txt', 'one\ntwo\nthree\n');
		user.writes('gone.txt', 'still here\n');
		const read = call('fs_read', { path: 'a.txt' });
		await says('First', [read, write('a.txt', 'ONE\ntwo\nthree\n'), write('new.txt', 'new\n')]);
		await says('Second', [write('a.txt', 'ONE\ntwo\nTHREE\n'), call('fs_delete', { path: 'gone.txt' })]);
		await says('Third', [write('deep/er/b.txt', 'b\n'), write('new.txt', 'newer\n')]);
	});

	it('is refused for a message that is not there, and without anybody to ask', async () => {
		const none = await restore(4);
		assert.equal(none.code, 2);
		assert.match(none.stderr, /"4" is no message of this thread/);
		const unasked = await user.runs(['thread', 'restore', thread, '2']);
		assert.equal(unasked.code, 2);
		assert.match(unasked.stderr, /gone\.txt: file is restored .*run it in a terminal, or pass --yes/s);
		assert.equal(text('new.txt'), 'newer\n');
		const nothing = await redo();
		assert.equal(nothing.code, 1);
		assert.match(nothing.stderr, /nothing to bring back|no restore to be taken back/i);
	});

	it('gives files and conversation back as they were before the message, and lists before what will change', async () => {
		const { code, stdout, stderr } = await restore(2);
		assert.equal(code, 0, stderr);
		assert.match(stderr, /a\.txt: earlier content is restored \(\+1 -1\)/);
		assert.match(stderr, /deep\/er\/b\.txt: file is deleted/);
		assert.match(stderr, /gone\.txt: file is restored/);
		assert.match(stderr, /2 messages leave the conversation/);
		assert.equal(stdout, 'Restored: 4 files\n');
		assert.equal(text('a.txt'), 'ONE\ntwo\nthree\n');
		assert.equal(text('gone.txt'), 'still here\n');
		assert.equal(text('new.txt'), 'new\n');
		assert.ok(!existsSync(path('deep')));
		assert.equal(await said(), 'First');
	});

	it('is taken back whole by redo, once', async () => {
		await restore(1);
		assert.equal(text('new.txt'), undefined);
		const { code, stdout, stderr } = await redo();
		assert.equal(code, 0, stderr);
		assert.equal(stdout, 'Brought back: 4 files\n');
		assert.equal(text('a.txt'), 'ONE\ntwo\nTHREE\n');
		assert.equal(text('gone.txt'), undefined);
		assert.equal(text('deep/er/b.txt'), 'b\n');
		assert.equal(await said(), 'First\nSecond\nThird');
		assert.equal((await redo()).code, 1);
		await restore(3);
		assert.equal(text('a.txt'), 'ONE\ntwo\nTHREE\n');
		assert.equal(text('new.txt'), 'new\n');
	});

	it('of the files alone leaves the conversation, and the model is told which files went back', async () => {
		await restore(2, '--files');
		assert.equal(text('gone.txt'), 'still here\n');
		assert.equal(await said(), 'First\nSecond\nThird');
		await says('Fourth');
		assert.match(told(), /a\.txt/);
		assert.match(told(), /undone|changed/);
	});

	it('of the conversation alone leaves the files, and the model is told that they stay', async () => {
		await restore(2, '--conversation');
		assert.equal(text('new.txt'), 'newer\n');
		assert.equal(await said(), 'First');
		await says('Again');
		assert.match(told(), /2 messages with your work on them is gone.*Files and all else stay/);
	});

	it('of both tells the model so, and of no file as changed by somebody else', async () => {
		await restore(2);
		await says('Again');
		assert.match(told(), /put back to how they were then/);
		assert.doesNotMatch(told(), /<changed/);
	});

	it('keeps what the user has changed since beside the lines of the thread', async () => {
		user.writes('a.txt', 'ONE\ntwo\nTHREE\nfour, mine\n');
		await restore(1);
		assert.equal(text('a.txt'), 'one\ntwo\nthree\nfour, mine\n');
	});

	it('leaves a file alone in which the user has changed what would go, unless that is forced', async () => {
		user.writes('a.txt', 'ONE\ntwo\nthree, mine\n');
		const left = await restore(2, '--files');
		assert.equal(left.code, 1);
		assert.match(left.stderr, /a\.txt: left alone: changed by somebody else since/);
		assert.match(left.stderr, /Left alone: a\.txt/);
		assert.equal(text('a.txt'), 'ONE\ntwo\nthree, mine\n');
		assert.equal(text('gone.txt'), 'still here\n');
		const forced = await restore(2, '--force');
		assert.equal(forced.code, 0, forced.stderr);
		assert.equal(text('a.txt'), 'ONE\ntwo\nthree\n');
	});

	it('follows no link that has taken the place of a file or of its folder', async () => {
		const outside = join(user.root, 'outside');
		mkdirSync(outside);
		writeFileSync(join(outside, 'b.txt'), 'b\n');
		rmSync(path('deep'), { recursive: true });
		const { symlinkSync } = await import('node:fs');
		mkdirSync(path('deep'));
		symlinkSync(outside, path('deep/er'));
		await restore(3, '--files', '--force');
		assert.equal(readFileSync(join(outside, 'b.txt'), 'utf8'), 'b\n');
	});

	it('gives bytes and permissions back as they were, without a repository, and touches none that is there', async () => {
		const bytes = Buffer.from([0, 1, 2, 255, 254, 0, 10]);
		writeFileSync(path('tool.bin'), bytes);
		chmodSync(path('tool.bin'), 0o755);
		await says('Fourth', [call('fs_delete', { path: 'tool.bin' })]);
		assert.ok(!existsSync(path('tool.bin')));
		const { code, stderr } = await restore(4);
		assert.equal(code, 0, stderr);
		assert.deepEqual(readFileSync(path('tool.bin')), bytes);
		assert.equal(statSync(path('tool.bin')).mode & 0o777, 0o755);
		assert.ok(!existsSync(path('.git')));
	});

	it('that was killed right before or after the conversation moved is whole after the next command', async () => {
		const there = { files: ['ONE\ntwo\nTHREE\n', undefined, 'newer\n'], said: 'First\nSecond\nThird' };
		const back = { files: ['ONE\ntwo\nthree\n', 'still here\n', 'new\n'], said: 'First' };
		const files = () => ['a.txt', 'gone.txt', 'new.txt'].map(text);
		async function killed(words: readonly string[], nodeOptions: string, whole: typeof there | typeof back) {
			const before = files();
			const { signal, stderr } = await user.runsApart(words, { env: { NODE_OPTIONS: nodeOptions } });
			assert.deepEqual([signal, files()], ['SIGKILL', before], stderr);
			assert.equal((await user.runs(['change', 'list', thread])).code, 0);
			assert.deepEqual({ files: files(), said: await said() }, whole, words.join(' '));
		}
		const goBack = ['thread', 'restore', thread, '2', '--yes'];
		await killed(goBack, killedAt('thread/rewind', 'request'), back);
		await killed(['thread', 'redo', thread], killedAt('thread/restore', 'answer'), there);
		await killed(goBack, killedAt('thread/rewind', 'answer'), back);
	});

	it('that was killed at any moment is whole after the next command', async () => {
		const names = Array.from({ length: 40 }, (_, n) => `many/${String(n).padStart(2, '0')}.txt`);
		await says('Fourth', [
			{ toolCalls: names.map((name) => ({ name: 'fs_write', input: { path: name, content: name } })) },
		]);
		const there = () => names.filter((name) => existsSync(path(name))).length;
		for (const count of [39, 20, 1]) {
			const running = user.starts(['thread', 'restore', thread, '4', '--yes']);
			const isOver = running.ended.then(() => true);
			await waitFor('files to go', () => there() <= count || running.child.exitCode !== null, commandLimitMs);
			running.child.kill('SIGKILL');
			await isOver;
			const settled = await user.runs(['change', 'list', thread]);
			assert.equal(settled.code, 0, settled.stderr);
			assert.equal(there(), 0);
			assert.equal(await said(), 'First\nSecond\nThird');
			assert.equal((await redo()).code, 0);
			assert.equal(there(), 40);
			assert.equal(await said(), 'First\nSecond\nThird\nFourth');
		}
	});
});
