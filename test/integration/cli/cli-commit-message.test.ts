/** A commit message by the model: the real CLI, real Git, and a model server on this machine. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess commit-message', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;
	beforeEach(() => {
		user = new User();
	});
	afterEach(() => server.close());

	const git = (...words: readonly string[]) =>
		execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], { cwd: user.workspace });

	function repository(): void {
		user.writes('a.txt', 'one\n');
		user.writes('b.txt', 'one\n');
		user.writes('.env', 'KEY=old\n');
		git('init', '-q');
		git('add', '.', '-f');
		git('commit', '-qm', 'begin');
	}

	async function writes(answer: ScriptEntry, words: readonly string[] = ['--trust']) {
		server = await startModelServer([answer]);
		const model = ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'scripted'];
		const ended = await user.runs(['commit-message', ...words, ...model]);
		return { ...ended, asked: server.requests.map(({ text }) => text).join('\n') };
	}
	const answer = { text: 'fix(a): count to two' };

	it('reads nothing in a folder that is not trusted, and asks no model', async () => {
		repository();
		user.writes('a.txt', 'two\n');
		const { code, stderr, asked } = await writes(answer, []);
		assert.notEqual(code, 0);
		assert.match(stderr, /not trusted/);
		assert.equal(asked, '');
	});

	it('says so where there is no repository, and where nothing has changed', async () => {
		const without = await writes(answer);
		assert.match(without.stderr, /NO_REPOSITORY/);
		await server.close();
		repository();
		const unchanged = await writes(answer);
		assert.match(unchanged.stderr, /nothing to commit[^]*INVALID_STATE|INVALID_STATE[^]*nothing to commit/i);
		assert.deepEqual([unchanged.code, unchanged.stdout, unchanged.asked], [1, '', '']);
	});

	it('is for what is staged, prints it alone, and commits nothing', async () => {
		repository();
		user.writes('a.txt', 'staged\n');
		git('add', 'a.txt');
		user.writes('b.txt', 'left out\n');
		const { code, stdout, stderr, asked } = await writes({
			text: '```text\nfix(a): count to two\n\nOne was too few.\n```\n',
		});
		assert.equal(code, 0, stderr);
		assert.equal(stdout, 'fix(a): count to two\n\nOne was too few.\n');
		assert.match(asked, /\+staged/);
		assert.doesNotMatch(asked, /left out/);
		assert.equal(String(git('log', '--format=%s')), 'begin\n');
	});

	it('is for all changes where nothing is staged, without what may be a secret', async () => {
		repository();
		user.writes('a.txt', 'two\nghp_A9bC8dE7fG6hI5jK4lM3nO2pQ1rS0tU9vW8x\n');
		user.writes('.env', 'KEY=new\n');
		const { code, stderr, asked } = await writes(answer);
		assert.equal(code, 0, stderr);
		assert.match(asked, /\+two/);
		assert.doesNotMatch(asked, /KEY=|ghp_A9b/);
	});

	it('stands in the ledger as the user’s own act: the diff, and the request to the model', async () => {
		repository();
		user.writes('a.txt', 'two\n');
		await writes(answer);
		const { stdout } = await user.runs(['ledger', 'export', '--format', 'jsonl']);
		const rows = stdout
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line) as { op: string; kind: string; trigger: string });
		for (const op of ['git.diff', 'commit.message']) {
			const found = rows.filter((row) => row.op === op);
			assert.ok(
				found.some(({ kind }) => kind === 'outcome'),
				op,
			);
			assert.ok(
				found.every(({ trigger }) => trigger === 'user'),
				op,
			);
		}
	});

	it('fails with the sentence of the provider, and prints no message', async () => {
		repository();
		user.writes('a.txt', 'two\n');
		const { code, stdout, stderr } = await writes({ error: 401, message: 'the key is wrong' });
		assert.deepEqual([code, stdout], [1, '']);
		assert.match(stderr, /the key is wrong/);
	});
});
