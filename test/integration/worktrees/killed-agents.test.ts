/** Sub-agents in worktrees whose host is killed while they work: the real CLI in a process of its own, and a model that plays all of them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RecordedRequest, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { processTree, runningProcesses, waitUntilGone } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

interface Listed {
	readonly name: string;
	readonly state: string;
	readonly folder: string;
}

describe('A sub-agent in a worktree whose host is killed', function () {
	this.timeout(commandLimitMs * 3);

	it('leaves no process and no lock, loses nothing, and goes on when its parent asks it to', async () => {
		const user = new User();
		user.sets({ 'prowess.worktrees': { isolation: { agents: 'worktree' } } });
		user.writes('a.txt', 'one\n');
		const git = (...args: string[]) =>
			execFileSync('git', args, { cwd: user.workspace, env: user.environment, encoding: 'utf8' });
		git('init', '--quiet');
		git('add', '-A');
		git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'first');
		const server = await startModelServer(play);
		// An error until the run has trusted the folder.
		const listed = async () => {
			const found: unknown = JSON.parse((await user.runs(['worktree', 'list', '--json'])).stdout);
			return Array.isArray(found) ? (found as Listed[]) : [];
		};
		const words = ['--approve', 'full', '--json'];
		try {
			const killed = user.promptsApart(server.baseUrl, 'Begin', words);
			const folderOf = async (name: string) =>
				(await listed()).find((each) => each.name.startsWith(name))?.folder ?? '-';
			await waitFor(
				`both to be at work; so far: ${killed.stdout}`,
				async () => existsSync(join(await folderOf('busy'), 'begun')) && killed.stdout.includes('Looked.'),
				commandLimitMs,
			);
			const pids = processTree(killed.pid).map(({ pid }) => pid);
			process.kill(killed.pid, 'SIGKILL');
			await killed.ended;
			await waitUntilGone(pids);
			assert.deepEqual(
				runningProcesses().filter(({ commandLine }) => commandLine.includes(user.root)),
				[],
			);
			assert.deepEqual(
				(await listed()).map(({ state }) => state),
				['ready', 'ready'],
			);
			assert.equal(readFileSync(join(await folderOf('busy'), 'n.txt'), 'utf8'), 'new\n');
			assert.equal(existsSync(join(user.workspace, 'n.txt')), false);

			const [, thread = ''] = /"id":"(thr_[^"]+)"/.exec(killed.stdout) ?? [];
			const more = await user.promptsApart(server.baseUrl, 'Bring it home', [...words, '--thread', thread]).ended;
			assert.equal(more.code, 0, more.stdout + more.stderr);
			assert.equal(readFileSync(join(user.workspace, 'n.txt'), 'utf8'), 'new\nmore\n', more.stdout);
			const left = await listed();
			assert.deepEqual(
				left.map(({ name }) => name.replace(/-[0-9a-f]+$/, '')),
				['busy'],
			);
			assert.equal((await user.runs(['worktree', 'discard', left[0]?.name ?? '', '--yes'])).code, 0);
			assert.equal(git('worktree', 'list').trim().split('\n').length, 1);
			assert.equal(git('branch', '--list', 'prowess/*'), '');
		} finally {
			await server.close();
		}
	});
});

const call = (name: string, input: object): ScriptEntry => ({ toolCalls: [{ name, input: { ...input } }] });

/** Answers the parent, its sub-agent that is busy when the host dies, and the one that has done its part. */
function play(_n: number, { body, text }: RecordedRequest): ScriptEntry {
	const messages = body['messages'] as readonly { readonly role: string; readonly content: unknown }[];
	const last = JSON.stringify(messages.at(-1));
	const since = messages.length - 1 - messages.findLastIndex(({ role }) => role === 'user');
	if (text.includes('You are a sub-agent')) {
		if (text.includes('Look into a.txt')) {
			return since === 0 ? call('fs_read', { path: 'a.txt' }) : { text: 'Looked.' };
		}
		if (text.includes('Go on with it')) {
			return since === 0 ? call('fs_write', { path: 'n.txt', content: 'new\nmore\n' }) : { text: 'Done.' };
		}
		const line = 'touch begun; until [ -e go ]; do sleep 0.05; done';
		return since === 0
			? call('fs_write', { path: 'n.txt', content: 'new\n' })
			: call('shell_run', { argv: ['sh', '-c', line] });
	}
	if (last.includes('Begin')) {
		const spawn = (name: string, task: string) => ({ name: 'agent_spawn', input: { name, task } });
		return { toolCalls: [spawn('Idle', 'Look into a.txt'), spawn('Busy', 'Write n.txt')] };
	}
	const idOf = (name: string) => new RegExp(`${name} \\((thr_[^)]+)\\)`).exec(text)?.[1] ?? '';
	const steps = [
		() => call('agent_list', {}),
		() => call('agent_send', { id: idOf('Busy'), message: 'Go on with it' }),
		() => call('agent_apply', { id: idOf('Busy') }),
		() => call('agent_stop', { id: idOf('Busy') }),
		() => call('agent_stop', { id: idOf('Idle') }),
	];
	return steps[Math.floor(since / 2)]?.() ?? { text: 'All done.' };
}
