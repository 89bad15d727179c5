/** Texts from outside in worktrees: where a file lies, and how it came there, changes nothing of where it is from. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId, type ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { turnNotifications } from '../../../src/protocol/thread/thread-requests.ts';
import { brokerRequests, type OpOutcome } from '../../../src/protocol/turn/broker.ts';
import { why } from '../agents/agent-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { useLabels } from '../approvals/label-scene.ts';

const never = new AbortController().signal;

describe('A file that a command has downloaded', function () {
	if (process.platform !== 'linux') return;
	this.timeout(60_000);
	const open = useLabels();

	async function begin() {
		const place = realpathSync(tempDir('worktrees'));
		const scene = await open({ settings: { 'prowess.worktrees': { folder: place } } });
		const { base, host, hosts } = scene;
		const git = (...args: string[]) =>
			execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: host.workspace });
		git('init', '--quiet', '--initial-branch=main');
		git('add', 'a.txt');
		git('commit', '--quiet', '-m', 'first');
		/** A thread that works in that worktree. */
		const beginIn = async (name: string): Promise<ThreadId> => {
			const thread = scene.begin();
			(await base.worktrees.open({ name, from: undefined }, never)).dispose();
			await base.worktrees.noteThread(name, thread, never);
			return thread;
		};
		/** Performs one op, in a turn of its own. */
		const act = async (threadId: ThreadId, op: string, params: unknown): Promise<OpOutcome> => {
			const turnId = newId('trn');
			const asked = { opId: newId('op'), op, params, threadId, turnId };
			const outcome = await scene.far.call(brokerRequests.perform, asked, never);
			scene.far.notify(turnNotifications.ended, { turnId, outcome: 'done' });
			return outcome;
		};
		const done = async (...asked: Parameters<typeof act>) => {
			const outcome = await act(...asked);
			assert.equal(outcome.status, 'done', why(outcome));
		};
		const download = async (thread: ThreadId, path: string) => {
			const argv = ['curl', '-s', '--noproxy', '', '-o', path, `http://${hosts.pages}/`];
			await done(thread, 'shell.run', { argv, needs: { network: [hosts.pages] } });
		};
		/** Returns whether what the thread sends is asked about, naming the file. */
		const isLabelled = async (thread: ThreadId) => {
			scene.asked.length = 0;
			scene.answering.with = () => ({ kind: 'deny' });
			await act(thread, 'http.request', { method: 'POST', url: `http://${hosts.elsewhere}/`, body: 'x' });
			scene.answering.with = () => ({ kind: 'once' });
			return scene.reasons().some((reason) => /has read .*notes\.md, which comes from outside/.test(reason));
		};
		const readsIt = async (thread: ThreadId, op: string, params: object) => {
			await done(thread, op, params);
			return await isLabelled(thread);
		};
		const folderOf = async (name: string) => (await base.worktrees.show(name, never)).view.folder;
		return { ...scene, git, beginIn, download, readsIt, folderOf };
	}

	it('in a worktree comes from outside there, and by its whole path elsewhere, and no file of that name in the folder does', async () => {
		const { begin: beginThread, beginIn, download, readsIt, folderOf, host } = await begin();
		await download(await beginIn('w'), 'notes.md');
		assert.ok(existsSync(join(await folderOf('w'), 'notes.md')));
		assert.ok(await readsIt(await beginIn('w'), 'fs.read', { path: 'notes.md' }), 'in the worktree');
		const path = join(await folderOf('w'), 'notes.md');
		mkdirSync(join(host.workspace, 'sub'));
		for (const cwd of ['.', 'sub']) {
			assert.ok(await readsIt(beginThread(), 'shell.run', { argv: ['cat', path], cwd }), `by its path from ${cwd}`);
		}
		writeFileSync(join(host.workspace, 'notes.md'), 'of the user\n');
		assert.ok(!(await readsIt(beginThread(), 'fs.read', { path: 'notes.md' })), 'of the user');
		assert.ok(!(await readsIt(await beginIn('other'), 'fs.read', { path: 'a.txt' })), 'another file');
	});

	it('comes from outside in the folder once it is applied or merged, and in worktrees that begin with it', async () => {
		const { git, begin: beginThread, beginIn, download, readsIt, base } = await begin();
		await download(await beginIn('w'), 'notes.md');
		await base.worktrees.apply('w', undefined, undefined, never);
		assert.ok(await readsIt(beginThread(), 'fs.read', { path: 'notes.md' }), 'applied');
		await download(await beginIn('m'), 'docs-notes.md');
		await base.worktrees.merge('m', undefined, never);
		assert.ok(await readsIt(beginThread(), 'fs.read', { path: 'docs-notes.md' }), 'merged');
		git('add', 'notes.md');
		git('commit', '--quiet', '-m', 'second');
		assert.ok(await readsIt(await beginIn('later'), 'fs.read', { path: 'notes.md' }), 'in a later worktree');
	});
});
