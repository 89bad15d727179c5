/** `prowess run --worktree` and `prowess worktree …`: an agent works beside the folder, with the rights it has there, and its work comes home. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('A run in a worktree', function () {
	this.timeout(commandLimitMs * 2);
	let user: User;
	let server: ModelServer;
	let next: ScriptEntry[];

	beforeEach(async () => {
		user = new User();
		user.sets();
		next = [];
		server = await startModelServer(() => next.shift() ?? { text: 'Done.' });
		user.writes('a.txt', 'one\ntwo\n');
		user.writes('.gitignore', 'node_modules/\n.prowess/\n');
		user.writes('node_modules/p/index.js', 'of the folder');
		git('init', '--quiet');
		git('add', '-A');
		git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'first');
	});
	afterEach(() => server.close());

	const git = (...args: string[]) =>
		execFileSync('git', args, { cwd: user.workspace, env: user.environment, encoding: 'utf8' });
	const call = (name: string, input: Readonly<Record<string, unknown>>): ScriptEntry => ({
		toolCalls: [{ name, input }],
	});
	const read = (path: string) => readFileSync(join(user.workspace, path), 'utf8');
	const results = () => {
		const messages = (server.requests.at(-1)?.body['messages'] ?? []) as { role: string; content: unknown }[];
		return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
	};
	/** Runs one turn in the worktree `w`. */
	async function works(calls: readonly ScriptEntry[], words: readonly string[] = ['--approve', 'full']) {
		next = [...calls, { text: 'Done.' }];
		const ended = await user.prompts(server.baseUrl, 'Work', ['--worktree', 'w', ...words]).ended;
		assert.equal(ended.code, 0, ended.stderr);
		return ended;
	}
	const folderOf = async (name: string) => (await user.runs(['worktree', 'show', name, '--path'])).stdout.trim();

	it('is refused where the folder is not trusted, and makes nothing', async () => {
		const { code, stderr } = await user.runs(['run', 'Work', '--worktree', 'w', '--provider', 'tour']);
		assert.equal(code, 1);
		assert.match(stderr, /not trusted/);
		assert.equal(existsSync(join(user.home, 'worktrees')), false);
		assert.equal(git('branch', '--list', 'prowess/*'), '');
	});

	it('leaves the folder as it is until its work is applied, which can be undone', async () => {
		const { stderr } = await works([
			call('fs_read', { path: 'a.txt' }),
			call('fs_write', { path: 'a.txt', content: 'ONE\ntwo\n' }),
			call('fs_write', { path: 'n.txt', content: 'new\n' }),
		]);
		assert.match(stderr, /New worktree w:.*\n.*Git ignores it: node_modules/s);
		assert.equal(read('a.txt'), 'one\ntwo\n');
		assert.match((await user.runs(['worktree', 'list'])).stdout, /^w {2}ready, prowess\/w, used .* UTC, [1-9]\d* B\n$/);
		assert.match((await user.runs(['worktree', 'show', 'w', '--diff'])).stdout, /^-one\n\+ONE$/m);
		const [view] = JSON.parse((await user.runs(['worktree', 'list', '--json'])).stdout) as { threads: string[] }[];
		assert.match(view?.threads[0] ?? '', /^thr_/);
		const applied = await user.runs(['worktree', 'apply', 'w']);
		assert.equal(applied.stdout, 'Applied: a.txt\nApplied: n.txt\n');
		assert.deepEqual([read('a.txt'), read('n.txt')], ['ONE\ntwo\n', 'new\n']);
		const [, owner = ''] = /change undo (thr_\S+)/.exec(applied.stderr) ?? [];
		assert.equal((await user.runs(['change', 'undo', owner])).code, 0);
		assert.equal(read('a.txt'), 'one\ntwo\n');
		assert.equal(existsSync(join(user.workspace, 'n.txt')), false);
		assert.match((await user.runs(['ledger', 'list', '--all'])).stdout, /Apply the worktree w/);
	});

	it('goes on in the same worktree, and beside a change of the folder to the same line says so', async () => {
		await works([call('fs_read', { path: 'a.txt' }), call('fs_write', { path: 'a.txt', content: 'ONE\ntwo\n' })]);
		const again = await works([call('fs_read', { path: 'a.txt' })]);
		assert.match(again.stderr, /^Worktree w:/);
		assert.match(results().at(-1) ?? '', /ONE/);
		user.writes('a.txt', 'mine\ntwo\n');
		const applied = await user.runs(['worktree', 'apply', 'w']);
		assert.equal(applied.code, 1);
		assert.match(applied.stderr, /Left alone: a\.txt/);
		assert.equal(read('a.txt'), 'mine\ntwo\n');
		assert.match((await user.runs(['worktree', 'merge', 'w'])).stderr, /a\.txt/);
		assert.equal(read('a.txt'), 'mine\ntwo\n');
		const unasked = await user.runs(['worktree', 'discard', 'w']);
		assert.equal(unasked.code, 2);
		assert.match(unasked.stderr, /Commits that no other branch has will be lost/);
		assert.equal((await user.runs(['worktree', 'discard', 'w', '--yes'])).stdout, 'Discarded: w\n');
		assert.equal(git('branch', '--list', 'prowess/*'), '');
	});

	it('knows in the next process what its thread has written there, and not what it has only read', async () => {
		await works([
			call('fs_write', { path: 'n.txt', content: 'one\n' }),
			call('fs_read', { path: 'a.txt' }),
			call('shell_run', { argv: ['sh', '-c', 'echo made > m.txt'] }),
		]);
		const [view] = JSON.parse((await user.runs(['worktree', 'list', '--json'])).stdout) as { threads: string[] }[];
		const thread = view?.threads[0] ?? '';
		for (const [index, words] of [[], ['--worktree', 'w']].entries()) {
			next = [
				call('fs_write', { path: 'n.txt', content: `again ${index}\n` }),
				call('fs_write', { path: 'n.txt', content: `and again ${index}\n` }),
				{ text: 'Done.' },
			];
			const more = ['--approve', 'full', '--thread', thread, ...words];
			const ended = await user.promptsApart(server.baseUrl, 'Go on', more).ended;
			assert.equal(ended.code, 0, ended.stderr);
			assert.doesNotMatch(results().slice(-2).join(), /FILE_NOT_READ|FILE_CHANGED/);
			assert.equal(readFileSync(join(await folderOf('w'), 'n.txt'), 'utf8'), `and again ${index}\n`);
		}
		next = [call('fs_write', { path: 'a.txt', content: 'x\n' }), { text: 'Done.' }];
		await user.promptsApart(server.baseUrl, 'Go on', ['--approve', 'full', '--thread', thread]).ended;
		assert.match(results().at(-1) ?? '', /FILE_NOT_READ/);
	});

	it('has the rules and the policy of the folder, also one that is not in Git, and no other files of the machine', async function () {
		if (bubblewrap === undefined) this.skip();
		user.sets({ 'prowess.worktrees': { files: { node_modules: 'link' } } });
		user.writes('.prowess/policy.yaml', 'deny:\n  - fs.write secret.txt\n');
		const project = realpathSync(user.workspace);
		const rules = { projects: [{ folders: [{ path: project }], rules: ['shell.run touch allowed.txt'] }] };
		writeFileSync(join(user.home, 'project-rules.json'), JSON.stringify(rules));
		await works(
			[
				call('fs_write', { path: 'secret.txt', content: 'x' }),
				call('shell_run', { argv: ['touch', 'allowed.txt'] }),
				call('shell_run', { argv: ['touch', 'other.txt'] }),
			],
			['--approve', 'never'],
		);
		const [denied, allowed, other] = results();
		assert.match(denied ?? '', /DENIED_BY_RULE/);
		assert.match(allowed ?? '', /exit code 0/);
		assert.match(other ?? '', /DENIED|denied/);
		await works(
			[
				call('shell_run', {
					argv: [
						'sh',
						'-c',
						`cat node_modules/p/index.js; echo; git status --short; ls ${user.home} ${user.home}/worktrees; cat ${project}/a.txt`,
					],
				}),
				call('shell_run', { argv: ['sh', '-c', 'echo x > node_modules/p/index.js'] }),
				call('fs_read', { path: join(project, 'a.txt') }),
			],
			['--approve', 'auto'],
		);
		const [looked, written, outside] = results().slice(-3);
		assert.match(looked ?? '', /of the folder\n.*allowed\.txt/s);
		assert.doesNotMatch(looked ?? '', /project-rules|ledger|one\ntwo/);
		assert.match(written ?? '', /Read-only file system/);
		assert.match(outside ?? '', /PATH_OUTSIDE_WORKSPACE/);
		assert.equal(existsSync(join(project, 'allowed.txt')), false);
		const folder = await folderOf('w');
		const changes = await user.runs(['change', 'list', '--workspace', folder]);
		assert.deepEqual([changes.code, existsSync(join(folder, 'allowed.txt'))], [0, true]);
		const { stderr } = await user.runs(['change', 'list', '--workspace', join(folder, '..')]);
		assert.match(stderr, /not trusted/);
	});

	it('is named after its prompt, and refuses a worktree that another run works in', async () => {
		next = [call('shell_run', { argv: ['sh', '-c', 'until [ -e go ]; do sleep 0.05; done'] }), { text: 'Done.' }];
		const first = user.prompts(server.baseUrl, 'Fix the parser', ['--worktree', 'new', '--approve', 'full']);
		await server.request(2 - 1);
		const second = await user.prompts(server.baseUrl, 'Again', ['--worktree', 'fix-the-parser']).ended;
		assert.match(second.stderr, /Another run works in the worktree|another run works in the worktree/);
		assert.equal((await user.runs(['worktree', 'discard', 'fix-the-parser', '--yes'])).code, 1);
		writeFileSync(join(await folderOf('fix-the-parser'), 'go'), '');
		assert.equal((await first.ended).code, 0);
	});

	/** Runs a command at a terminal, and answers each question once with what belongs to its words. Returns what was shown. */
	async function answers(words: readonly string[], given: Readonly<Record<string, string>>) {
		const left = new Map(Object.entries(given));
		const terminal = user.sitsAt(words, ({ shown }) => {
			for (const [question, answer] of left) {
				if (!shown.includes(question)) continue;
				left.delete(question);
				terminal.types(`${answer}\n`);
			}
		});
		const { code } = await terminal.ended;
		return { code, shown: terminal.shown, unasked: [...left.keys()] };
	}
	const promptWords = (name: string) => [
		...['run', 'Work', '--trust', '--worktree', name, '--approve', 'full'],
		...['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'scripted'],
	];

	it('asks once what to bring along and what sets it up, and again when what that runs has changed', async function () {
		if (bubblewrap === undefined) this.skip();
		const commitSetUp = (script: string) => {
			user.writes('set-up.sh', script);
			git('add', '-A');
			git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'set-up');
		};
		commitSetUp('cat node_modules/p/index.js > made.txt; echo escaped > "$1/escaped"');
		const line = `sh ./set-up.sh ${user.workspace}`;
		const first = await answers(promptWords('one'), { 'Git ignores node_modules': 'c', 'sets up each new': line });
		assert.deepEqual([first.code, first.unasked], [0, []], first.shown);
		// The command ran in the worktree and in the sandbox: with what was brought along, and without a way to the folder.
		assert.equal(readFileSync(join(await folderOf('one'), 'made.txt'), 'utf8'), 'of the folder');
		assert.equal(existsSync(join(user.workspace, 'escaped')), false);
		assert.match(first.shown, /Set up with: sh \.\/set-up\.sh/);
		const second = await answers(promptWords('two'), {});
		assert.doesNotMatch(second.shown, /Git ignores|sets up each new/);
		assert.equal(readFileSync(join(await folderOf('two'), 'made.txt'), 'utf8'), 'of the folder');
		commitSetUp('echo other > made.txt');
		const third = await answers(promptWords('three'), { 'has changed (set-up.sh)': 'n' });
		assert.deepEqual([third.code, third.unasked], [0, []], third.shown);
		assert.equal(existsSync(join(await folderOf('three'), 'made.txt')), false);
		assert.match((await user.runs(['ledger', 'list', '--all'])).stdout, /set-up\.sh/);
	});

	it('is set up by nothing that was not agreed to, where nobody can be asked', async () => {
		user.writes('package-lock.json', '{}');
		const { stderr } = await works([]);
		assert.doesNotMatch(stderr, /[Ss]et up/);
	});

	it('says what would be lost before it is discarded, and stays after a no', async () => {
		await works([call('fs_write', { path: 'n.txt', content: 'new\n' })]);
		const no = await answers(['worktree', 'discard', 'w'], { 'Discard w? y/n': 'n' });
		assert.deepEqual([no.code, no.unasked], [1, []]);
		assert.match(no.shown, /Uncommitted changes will be lost:\n {2}n\.txt/);
		assert.equal(existsSync(await folderOf('w')), true);
		const yes = await answers(['worktree', 'discard', 'w'], { 'Discard w? y/n': 'y' });
		assert.equal(yes.code, 0);
		assert.equal(git('branch', '--list', 'prowess/*'), '');
	});

	it('lies where the user says, with the rights it has elsewhere, and is found there', async () => {
		const elsewhere = join(user.root, 'trees');
		user.sets({ 'prowess.worktrees': { folder: elsewhere } });
		await works([call('fs_write', { path: 'n.txt', content: 'new\n' })]);
		const folder = await folderOf('w');
		assert.ok(folder.startsWith(realpathSync(elsewhere)), folder);
		assert.equal(readFileSync(join(folder, 'n.txt'), 'utf8'), 'new\n');
		// Trusted as the folder is.
		assert.equal((await user.runs(['change', 'list', '--workspace', folder])).code, 0);
		// A worktree that was made there stays there, whatever the settings say later.
		user.sets();
		assert.equal((await user.runs(['worktree', 'apply', 'w'])).code, 0);
		assert.equal(read('n.txt'), 'new\n');
		assert.equal((await user.runs(['worktree', 'discard', 'w', '--yes'])).code, 0);
		assert.equal(existsSync(folder), false);
		user.sets({ 'prowess.worktrees': { folder: join(user.workspace, 'trees') } });
		const inside = await user.runs(['worktree', 'list']);
		assert.equal(inside.code, 1);
		assert.match(inside.stderr, /cannot hold worktrees/);
	});
});
