/**
 * Counts the questions a person is asked in usual tasks, at each level: the command line at a terminal, with a scripted
 * model and real commands in the sandbox. Each question is answered with one key that reaches as far as offered: for
 * the turn or for the thread. Prints the table of docs/performance.md.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PermissionLevel } from '../../../src/protocol/ops/permission-level.ts';
import { startModelServer } from '../../support/model-server.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

type Call = { readonly name: string; readonly input: unknown };
const run = (...argv: readonly string[]): Call => ({ name: 'shell_run', input: { argv } });
const edit = (path: string): Call => ({
	name: 'fs_edit',
	input: { path, edits: [{ find: 'oldName', replace: 'newName' }] },
});
const read = (path: string): Call => ({ name: 'fs_read', input: { path } });

const tasks: readonly {
	readonly task: string;
	readonly calls: readonly Call[];
	readonly questions: { readonly [L in PermissionLevel]?: number };
	/** At the level Ask, where the first question is answered for the turn. */
	readonly forTurn: number;
}[] = [
	{
		task: 'A fix with three reads, an edit and two test runs',
		calls: [
			read('a.txt'),
			run('grep', '-rn', 'oldName', '.'),
			run('cat', 'b.txt'),
			edit('a.txt'),
			run('npm', 'test'),
			run('npm', 'test'),
		],
		// The edit, and the first of the test runs: what they run is the project's own code.
		questions: { manual: 5, ask: 2, edit: 1, auto: 0 },
		forTurn: 1,
	},
	{
		task: 'A search',
		calls: [run('ls'), run('grep', '-rn', 'oldName', '.'), run('git', 'log', '--oneline', '-5')],
		questions: { manual: 3, ask: 0, edit: 0, auto: 0 },
		forTurn: 0,
	},
	{
		task: 'A rename in three files',
		calls: [edit('a.txt'), edit('b.txt'), edit('c.txt')],
		questions: { manual: 3, ask: 1, edit: 0, auto: 0 },
		forTurn: 1,
	},
	{
		task: 'An installation of a package',
		calls: [run('npm', 'install', '--offline', '--no-audit', '--no-fund', './library')],
		questions: { manual: 1, ask: 1, edit: 1, auto: 0 },
		forTurn: 1,
	},
	{
		task: 'A commit',
		calls: [
			run('git', 'status', '--short'),
			run('git', 'diff'),
			run('git', 'add', 'a.txt'),
			run('git', 'commit', '-m', 'Change'),
		],
		questions: { manual: 4, ask: 2, edit: 2, auto: 0 },
		forTurn: 1,
	},
	{
		task: 'A deletion of a folder, which is dangerous',
		calls: [run('rm', '-r', 'library')],
		questions: { ask: 1, edit: 1, auto: 1, full: 1 },
		forTurn: 1,
	},
];

describe('A usual task', function () {
	this.timeout(commandLimitMs);
	const counted = new Map<string, Map<string, number>>();
	const counts = async (
		task: string,
		column: string,
		asked: Promise<{ shown: string; results: readonly string[] }>,
	) => {
		const { shown, results } = await asked;
		for (const result of results) assert.doesNotMatch(result, /^(?:DENIED|[A-Z]+_[A-Z]+:)/);
		const count = shown.split('Allow? ').length - 1;
		counted.set(task, (counted.get(task) ?? new Map<string, number>()).set(column, count));
		return { count, shown };
	};

	// All tasks share a home, so the sandbox is proven once; each task finds the workspace as it was.
	const user = new User();
	const made = join(user.root, 'made');

	before(function () {
		if (bubblewrap === undefined) this.skip();
		makeWorkspace(user);
		cpSync(user.workspace, made, { recursive: true });
	});

	beforeEach(() => {
		rmSync(user.workspace, { recursive: true });
		cpSync(made, user.workspace, { recursive: true });
	});

	after(() => {
		const columns = ['manual', 'ask', 'ask, for the turn', 'edit', 'auto', 'full'];
		const rows = [...counted].map(([task, row]) => [task, ...columns.map((each) => row.get(each) ?? '')]);
		console.log(
			[['Questions, each answered with one key', ...columns], ...rows].map((row) => row.join(' | ')).join('\n'),
		);
	});

	for (const { task, calls, questions, forTurn } of tasks) {
		it(`asks ${forTurn} questions at the level ask where the first is answered for the turn: ${task}`, async () => {
			const { count, shown } = await counts(task, 'ask, for the turn', work(user, 'ask', calls, 'u'));
			assert.equal(count, forTurn, shown);
		});
		for (const [level, count] of Object.entries(questions)) {
			it(`asks ${count} questions at the level ${level}: ${task}`, async () => {
				const asked = await counts(task, level, work(user, level, calls, 't'));
				assert.equal(asked.count, count, asked.shown);
			});
		}
	}
});

/** Makes the workspace that each task finds: a repository with something that is not committed yet. */
function makeWorkspace(user: User): void {
	for (const path of ['a.txt', 'b.txt', 'c.txt']) user.writes(path, 'oldName\n');
	user.writes('package.json', JSON.stringify({ name: 'usual', version: '1.0.0', scripts: { test: 'node -e 0' } }));
	user.writes('library/package.json', JSON.stringify({ name: 'library', version: '1.0.0' }));
	for (const words of [
		'init -q',
		'config user.name Ada',
		'config user.email ada@example.org',
		'add .',
		'commit -qm x',
	]) {
		execFileSync('git', words.split(' '), { cwd: user.workspace });
	}
	user.writes('a.txt', 'oldName\nmore\n');
}

/** `answer`: the key that is pressed where it is offered; elsewhere once. Neither reaches beyond the thread of its task. */
async function work(
	user: User,
	level: string,
	calls: readonly Call[],
	answer: 't' | 'u',
): Promise<{ shown: string; results: readonly string[] }> {
	user.sets({ 'prowess.tools.bubblewrapPath': bubblewrap ?? '', 'prowess.approvals.level': level });
	const server = await startModelServer([...calls.map((call) => ({ toolCalls: [call] })), { text: 'Done.' }]);
	const words = ['run', 'work', '--trust', '--provider', 'openai-compatible', '--base-url', server.baseUrl];
	let answered = 0;
	const terminal = user.sitsAt([...words, '--model', 'scripted'], ({ shown }) => {
		const prompts = shown.split('Allow? ');
		if (prompts.length - 1 > answered && prompts.at(-1) === '') {
			answered += 1;
			const isOffered = prompts.at(-2)?.includes(answer === 't' ? '  t  in this thread' : '  u  in this turn') === true;
			terminal.types(isOffered ? `${answer}\n` : 'y\n');
		}
	});
	try {
		await terminal.ended;
		const { shown } = terminal;
		assert.ok(existsSync(join(user.workspace, 'a.txt')));
		const messages = server.requests.at(-1)?.body['messages'] as { role: string; content: unknown }[];
		const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
		assert.equal(results.length, calls.length, shown);
		return { shown, results };
	} finally {
		await server.close();
	}
}
