/** Goals that work in worktrees of their own, at the command line with a scripted model. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

describe('A goal with isolation', function () {
	this.timeout(commandLimitMs * 2);
	let user: User;
	let server: ModelServer;
	let next: ScriptEntry[];

	beforeEach(async () => {
		user = new User();
		user.sets({ 'prowess.worktrees': { isolation: { goals: 'worktree' } } });
		next = [];
		server = await startModelServer(() => next.shift() ?? { text: 'Done.' });
		user.writes('check.sh', 'test -e made.txt\n');
		const git = (...args: string[]) => execFileSync('git', args, { cwd: user.workspace, env: user.environment });
		git('init', '--quiet');
		git('add', '-A');
		git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'first');
	});
	afterEach(() => server.close());

	it('works and is checked in its worktree, and its work is brought home when the user says so', async function () {
		if (bubblewrap === undefined) this.skip();
		next = [{ toolCalls: [{ name: 'fs_write', input: { path: 'made.txt', content: 'made\n' } }] }, { text: 'Made.' }];
		const model = ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'scripted'];
		const words = ['goal', 'until', 'made.txt is there', '--check', 'sh ./check.sh', '--trust', '--approve', 'full'];
		const ended = await user.runs([...words, ...model]);
		assert.equal(ended.code, 0, ended.stderr + ended.stdout);
		assert.equal(existsSync(join(user.workspace, 'made.txt')), false);
		assert.match(ended.stderr, /Its work is in the worktree made-txt-is-there-/);
		const [view] = JSON.parse((await user.runs(['worktree', 'list', '--json'])).stdout) as { name: string }[];
		assert.match(view?.name ?? '', /^made-txt-is-there-[0-9a-f]{8}$/);
		assert.equal((await user.runs(['worktree', 'apply', view?.name ?? ''])).code, 0);
		assert.equal(readFileSync(join(user.workspace, 'made.txt'), 'utf8'), 'made\n');
	});
});
