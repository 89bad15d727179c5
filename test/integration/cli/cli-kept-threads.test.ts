/** `prowess.threads.keepDays`: threads that nobody has used go at the end of a command, and only those. */
import assert from 'node:assert/strict';
import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';
import { killedAt } from './killed-at.ts';

const DAY_MS = 86_400_000;
/** A sub-agent, as it is kept. */
const helper = {
	...{ id: 'thr_helper', parent: 'thr_helped', name: 'helper', task: 'Help', mode: 'agent', modelId: null, budget: {} },
	...{ opId: 'op_1', createdAt: '2026-01-01T00:00:00.000Z', changedAt: '2026-01-01T00:00:00.000Z' },
	...{ state: 'terminated', tokens: 0 },
};

describe('Threads that nobody has used for as long as they are kept', function () {
	this.timeout(commandLimitMs * 2);
	let user: User;
	let server: ModelServer;
	let next: ScriptEntry[];

	beforeEach(async () => {
		user = new User();
		user.sets({ 'prowess.threads.keepDays': 30 });
		lookedAt({ settled: -1, pending: [] });
		next = [];
		server = await startModelServer(() => next.shift() ?? { text: 'Done.' });
	});
	afterEach(() => server.close());

	function database<T>(name: string, work: (db: DatabaseSync) => T): T {
		const db = new DatabaseSync(join(user.home, name));
		try {
			return work(db);
		} finally {
			db.close();
		}
	}

	/** Titles of the threads that there are. */
	const titles = () =>
		database('threads.db', (db) =>
			db
				.prepare('SELECT title FROM threads ORDER BY title')
				.all()
				.map((row) => row['title']),
		);
	const idOf = (title: string) =>
		database('threads.db', (db) =>
			String(db.prepare('SELECT id FROM threads WHERE title = ?').get(title)?.['id'] ?? ''),
		);
	const lastUsed = (title: string, daysAgo: number) =>
		database('threads.db', (db) =>
			db
				.prepare('UPDATE threads SET updated_at = ? WHERE title = ?')
				.run(new Date(Date.now() - daysAgo * DAY_MS).toISOString(), title),
		);
	const imagesOf = (id: string) =>
		database('checkpoints.db', (db) =>
			Number(db.prepare('SELECT count(*) AS n FROM changes WHERE threadId = ?').get(id)?.['n']),
		);
	/** The home was looked at before, at these days of the clock. */
	const lookedAt = ({ settled, pending }: { readonly pending: readonly number[]; readonly settled?: number }) =>
		writeFileSync(
			join(user.home, 'clock-looks.json'),
			JSON.stringify({
				...(settled === undefined ? {} : { settled: Date.now() + settled * DAY_MS }),
				pending: pending.map((days) => Date.now() + days * DAY_MS),
			}),
			{ mode: 0o600 },
		);
	const acts = async () => (await user.runs(['ledger', 'list', '--op', 'thread.trim'])).stdout;

	/** A thread with a change that can be undone; the prompt is its title. */
	async function says(prompt: string, words: readonly string[] = []): Promise<void> {
		const input = { path: `${prompt}.txt`, content: 'new\n' };
		next = [{ toolCalls: [{ name: 'fs_write', input }] }, { text: 'Done.' }];
		const { code, stderr } = await user.prompts(server.baseUrl, prompt, ['--approve', 'full', ...words]).ended;
		assert.equal(code, 0, stderr);
	}

	it('stay where nobody has said how long they are kept', async () => {
		user.sets();
		await says('old');
		lastUsed('old', 20_000);
		await says('new');
		assert.deepEqual(titles(), ['new', 'old']);
		assert.doesNotMatch(await acts(), /thread\.trim|unused|Delete/);
	});

	it('stay while they are pinned, younger, shown with their sub-agents, of a goal, a worktree or another folder, also after a kill', async () => {
		user.sets();
		await says('bound', ['--worktree', 'w']);
		assert.equal((await user.runs(['goal', 'add', 'Ship it', '--step', 'One'])).code, 0);
		const ofGoal = database('goals.db', (db) => String(db.prepare('SELECT thread FROM goal').get()?.['thread']));
		database('threads.db', (db) => {
			const adding = db.prepare(
				"INSERT INTO threads (id, title, mode, workspace, shelf, created_at, updated_at) VALUES (?, ?, 'agent', ?, ?, '', '')",
			);
			const add = (title: string, folder = user.workspace, shelf: string | null = null, id = `thr_${title}`) =>
				adding.run(id, title, folder, shelf);
			add('old');
			add('younger');
			add('pinned', user.workspace, 'pinned');
			add('goal', user.workspace, null, ofGoal);
			add('elsewhere', '/elsewhere');
			add('shown');
			add('helped');
			db.prepare("UPDATE threads SET workspace = ? WHERE title = 'bound'").run(user.workspace);
			db.prepare('UPDATE threads SET updated_at = ?').run(new Date(Date.now() - 32 * DAY_MS).toISOString());
		});
		lastUsed('younger', 29);
		mkdirSync(join(user.home, 'windows'), { recursive: true });
		writeFileSync(join(user.home, 'windows', 'any.json'), JSON.stringify([idOf('shown'), helper.id]));
		writeFileSync(join(user.home, 'agents.json'), JSON.stringify({ threads: [helper] }), { mode: 0o600 });
		const noted = ['bound', 'elsewhere', 'goal', 'shown'].map(idOf);
		writeFileSync(join(user.home, 'trimmed-threads.json'), JSON.stringify({ threadIds: noted }), { mode: 0o600 });
		user.sets({ 'prowess.threads.keepDays': 30 });
		await says('new');
		assert.deepEqual(titles(), ['bound', 'elsewhere', 'goal', 'helped', 'new', 'pinned', 'shown', 'younger']);
	});

	it('stay while the record of their worktree is damaged, and all while nobody can read what windows show', async () => {
		user.sets();
		await says('bound', ['--worktree', 'w']);
		await says('old');
		for (const title of ['bound', 'old']) lastUsed(title, 32);
		database('threads.db', (db) => db.prepare('UPDATE threads SET workspace = ?').run(user.workspace));
		const [record = ''] = globSync(join(user.home, 'worktrees/*/w.json'));
		writeFileSync(record, '{');
		const windows = join(user.home, 'windows');
		symlinkSync('windows', windows);
		user.sets({ 'prowess.threads.keepDays': 30 });
		await says('new');
		assert.deepEqual(titles(), ['bound', 'new', 'old']);
		rmSync(windows);
		await says('newer');
		assert.deepEqual(titles(), ['bound', 'new', 'newer']);
	});

	it('stay where the clock was right a week ago and is ahead now, and where it was ahead at the last look', async () => {
		await says('old');
		lastUsed('old', 30.5);
		const week = [-7, -6, -5, -4, -3, -2, -1];
		for (const looks of [
			{ pending: week.slice(1) },
			{ pending: [400] },
			{ settled: 399, pending: [...week.slice(2), 400] },
		]) {
			lookedAt(looks);
			await says('new');
			assert.deepEqual([...new Set(titles())], ['new', 'old']);
		}
	});

	it('go with what could be undone in them at the end of a command, which the ledger says before', async () => {
		await says('old');
		lastUsed('old', 32);
		const id = idOf('old');
		assert.ok(imagesOf(id) > 0);
		await says('new');
		assert.deepEqual(titles(), ['new']);
		assert.equal(imagesOf(id), 0);
		assert.match((await user.runs(['ledger', 'list', '--thread', id])).stdout, /old\.txt/);
		assert.match(await acts(), /Delete threads that nobody has used for 30 days: 1/);
		assert.equal(readFileSync(join(user.home, 'trimmed-threads.json'), 'utf8'), '{"threadIds":[]}\n');
	});

	for (const moment of ['request', 'answer'] as const) {
		it(`are gone with all that is kept of them after the next command, where one was killed at the ${moment} of a deletion`, async () => {
			await says('old');
			await says('older');
			const ids = [idOf('old'), idOf('older')];
			for (const title of ['old', 'older']) lastUsed(title, 40);
			const options = { env: { NODE_OPTIONS: killedAt('thread/delete', moment) } };
			const killed = await user.promptsApart(server.baseUrl, 'killed', ['--verbose'], options).ended;
			assert.equal(killed.signal, 'SIGKILL', killed.stderr);
			assert.match(killed.stdout, /Done\./);
			await says('new');
			assert.deepEqual(titles(), ['killed', 'new']);
			assert.deepEqual(ids.map(imagesOf), [0, 0]);
		});
	}
});
