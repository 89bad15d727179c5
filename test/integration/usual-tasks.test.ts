/**
 * How often a person is asked in usual tasks, at each level: the command line in a real terminal, with a scripted model
 * and real commands in the sandbox. Each question is answered for the thread where that is offered.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PermissionLevel } from '../../src/protocol/permission-level.ts';
import { startModelServer } from '../support/model-server.ts';
import { programs } from '../support/programs.ts';
import { bubblewrap } from '../support/sandbox-scene.ts';
import { commandLimitMs, User } from './cli-process.ts';

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
		questions: { ask: 2, edit: 1, auto: 0 },
	},
	{
		task: 'A search',
		calls: [run('ls'), run('grep', '-rn', 'oldName', '.'), run('git', 'log', '--oneline', '-5')],
		questions: { ask: 0, auto: 0 },
	},
	{
		task: 'A rename in three files',
		calls: [edit('a.txt'), edit('b.txt'), edit('c.txt')],
		questions: { ask: 1, edit: 0, auto: 0 },
	},
	{
		task: 'An installation of a package',
		calls: [run('npm', 'install', '--offline', '--no-audit', '--no-fund', './library')],
		questions: { ask: 1, auto: 0 },
	},
	{
		task: 'A commit',
		calls: [
			run('git', 'status', '--short'),
			run('git', 'diff'),
			run('git', 'add', 'a.txt'),
			run('git', 'commit', '-m', 'Change'),
		],
		questions: { ask: 2, auto: 0 },
	},
	{
		task: 'A deletion of a folder, which is dangerous',
		calls: [run('rm', '-r', 'library')],
		questions: { ask: 1, auto: 1, full: 1 },
	},
];

const hasScript = (() => {
	try {
		return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
	} catch {
		return false;
	}
})();

describe('A usual task', function () {
	this.timeout(commandLimitMs);

	before(function () {
		if (!hasScript || bubblewrap === undefined) this.skip();
	});

	for (const { task, calls, questions } of tasks) {
		for (const [level, count] of Object.entries(questions)) {
			it(`asks ${count} questions at the level ${level}: ${task}`, async () => {
				const { shown, results } = await work(level, calls);
				for (const result of results) assert.doesNotMatch(result, /^(?:DENIED|[A-Z]+_[A-Z]+:)/);
				assert.equal(shown.split('Allow? ').length - 1, count, shown);
			});
		}
	}
});

async function work(level: string, calls: readonly Call[]): Promise<{ shown: string; results: readonly string[] }> {
	const user = new User();
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
	mkdirSync(user.home, { recursive: true });
	const settings = { 'prowess.tools.bubblewrapPath': bubblewrap ?? '', 'prowess.approvals.level': level };
	writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
	const server = await startModelServer([...calls.map((call) => ({ toolCalls: [call] })), { text: 'Done.' }]);
	const words = ['run', 'work', '--trust', '--provider', 'openai-compatible', '--base-url', server.baseUrl];
	const line = [process.execPath, programs.cli, ...words, '--model', 'scripted'].map((word) => `'${word}'`).join(' ');
	const child = spawn('script', ['-qefc', line, '/dev/null'], {
		cwd: user.workspace,
		env: {
			PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
			HOME: dirname(user.home),
			PROWESS_HOME: user.home,
			TMPDIR: user.root,
			SHELL: '/bin/sh',
		},
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	let shown = '';
	let answered = 0;
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
		shown += chunk;
		const prompts = shown.split('Allow? ');
		if (prompts.length - 1 > answered && prompts.at(-1)?.includes('with that reason: ') === true) {
			answered += 1;
			child.stdin.write(prompts.at(-1)?.includes('t in this thread') === true ? 't\r' : 'y\r');
		}
	});
	try {
		await new Promise((resolve) => child.once('close', resolve));
		assert.ok(existsSync(join(user.workspace, 'a.txt')));
		const messages = server.requests.at(-1)?.body['messages'] as { role: string; content: unknown }[];
		const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
		assert.equal(results.length, calls.length, shown);
		return { shown, results };
	} finally {
		await server.close();
	}
}
