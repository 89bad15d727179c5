/**
 * Requests to the model that five usual tasks take, with a scripted one that does as models do: it calls with the names and forms that it knows, and
 * in the next answer tries the next form where one is refused or finds nothing. Prints the table of docs/performance.md. PROWESS_TASKS_CLI names
 * the `cli.mjs` of another build, whose requests are printed and not judged.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RecordedRequest, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

type Call = readonly [name: string, input: unknown];

/**
 * Step to find out or do: the forms of its call, in the order in which a model thinks of them, and the result that it
 * wants.
 */
interface Step {
	readonly forms: readonly Call[];
	readonly wants: RegExp;
}

const shell = (line: string, ...others: readonly Call[]): readonly Call[] => [
	['shell_run', { command: line }],
	...others,
	['shell_run', { argv: ['sh', '-c', line] }],
];

const tasks: readonly {
	readonly task: string;
	readonly files: Readonly<Record<string, string | Buffer>>;
	readonly steps: readonly Step[];
	readonly ends: (read: (path: string) => Buffer) => boolean;
	/** Requests with the tools as they are: one for each step, and one for the answer. */
	readonly requests: number;
}[] = [
	{
		task: 'Fix a failing test',
		files: {
			'app/sum.js': 'module.exports = (a, b) => {\n\treturn a - b;\n};\n',
			'app/sum.test.js': "require('node:assert').equal(require('./sum.js')(1, 2), 3);\nconsole.log('it adds');\n",
		},
		steps: [
			{
				forms: shell('cd app && node sum.test.js 2>&1 | tail -20', ['shell_run', { argv: ['cd', 'app'] }]),
				wants: /AssertionError/,
			},
			{
				forms: [
					['fs_read', { file_path: 'app/sum.js' }],
					['fs_read', { path: 'app/sum.js' }],
				],
				wants: /return a - b/,
			},
			{
				forms: [
					['fs_edit', { file_path: 'app/sum.js', old_string: '    return a - b;', new_string: '    return a + b;' }],
					['fs_edit', { path: 'app/sum.js', edits: [{ find: '    return a - b;', replace: '    return a + b;' }] }],
					['fs_edit', { path: 'app/sum.js', edits: [{ find: 'return a - b;', replace: 'return a + b;' }] }],
				],
				wants: /^Edited/,
			},
			{
				forms: shell('cd app && node sum.test.js 2>&1 | tail -20'),
				wants: /it adds/,
			},
		],
		ends: (read) => read('app/sum.js').toString().includes('\treturn a + b;'),
		requests: 5,
	},
	{
		task: 'Find where a value is set',
		files: {
			'src/limits.ts': `${'// a line\n'.repeat(40)}export const TIMEOUT_MS = 500;\n`,
			'src/view.tsx': 'export const deadline = 3;\n',
			'src/notes.md': 'timeout\n',
		},
		steps: [
			{
				forms: [
					['search_text', { pattern: 'TIMEOUT_MS\\s*=|deadline\\s*=', include: '*.ts,*.tsx' }],
					['search_text', { query: 'TIMEOUT_MS\\s*=|deadline\\s*=', include: '*.ts,*.tsx' }],
					['search_text', { query: 'TIMEOUT_MS\\s*=|deadline\\s*=', include: '*.{ts,tsx}' }],
					['search_text', { query: 'TIMEOUT_MS', include: '*.{ts,tsx}' }],
				],
				wants: /limits\.ts/,
			},
			{
				forms: [
					['fs_read', { path: 'src/limits.ts', offset: '35', limit: null }],
					['fs_read', { path: 'src/limits.ts', offset: 35 }],
				],
				wants: /TIMEOUT_MS = 500/,
			},
		],
		ends: () => true,
		requests: 3,
	},
	{
		task: 'Change a Latin-1 file with CRLF',
		files: { 'menu.ini': Buffer.from('[menu]\r\ndrink=Caf\xe9\r\nprice=3\r\n', 'latin1') },
		steps: [
			{
				forms: [
					['search_text', { query: 'Café' }],
					['search_text', { query: 'drink' }],
				],
				wants: /menu\.ini/,
			},
			{
				forms: [
					['fs_read', { path: 'menu.ini' }],
					['shell_run', { argv: ['iconv', '-f', 'latin1', '-t', 'utf8', 'menu.ini'] }],
				],
				wants: /Café/,
			},
			{
				forms: [
					['fs_edit', { path: 'menu.ini', edits: [{ find: 'drink=Café\nprice=3', replace: 'drink=Café\nprice=4' }] }],
					['shell_run', { argv: ['sed', '-i', 's/price=3/price=4/', 'menu.ini'] }],
				],
				wants: /^Edited|exit code 0/i,
			},
		],
		ends: (read) => read('menu.ini').equals(Buffer.from('[menu]\r\ndrink=Caf\xe9\r\nprice=4\r\n', 'latin1')),
		requests: 4,
	},
	{
		task: 'Rename in two files',
		files: {
			'src/a.js': 'exports.oldName = 1;\n',
			'src/b.js': "const { oldName } = require('./a.js');\nconsole.log(oldName);\n",
		},
		steps: [
			{
				forms: [
					['search_text', { query: '\\boldName\\b', context: '1' }],
					['search_text', { query: '\\boldName\\b' }],
					['search_text', { query: 'oldName' }],
				],
				wants: /a\.js/,
			},
			{
				forms: [
					['fs_edit', { path: 'src/a.js', edits: JSON.stringify([{ find: 'oldName', replace: 'newName' }]) }],
					['fs_edit', { path: 'src/a.js', edits: [{ find: 'oldName', replace: 'newName' }] }],
				],
				wants: /^Edited/,
			},
			{
				forms: [
					['fs_edit', { path: 'src/b.js', edits: { find: 'oldName', replace: 'newName', all: 'true' } }],
					['fs_edit', { path: 'src/b.js', edits: [{ find: 'oldName', replace: 'newName', all: true }] }],
				],
				wants: /^Edited/,
			},
			{ forms: shell('node src/b.js; grep -rn oldName src || echo none left'), wants: /none left/ },
		],
		ends: (read) => !read('src/b.js').includes('oldName'),
		requests: 5,
	},
	{
		task: 'Write a script, run it and keep its output',
		files: {},
		steps: [
			{
				forms: [
					['fs_write', { file_path: 'make.js', content: "console.log('made');\n" }],
					['fs_write', { path: 'make.js', content: "console.log('made');\n" }],
				],
				wants: /^Created/,
			},
			{
				forms: [
					['shell_run', { command: 'node make.js > log.txt' }],
					['shell_run', { argv: ['node', 'make.js', '>', 'log.txt'] }],
				],
				// Whatever is no error looks like success.
				wants: /^(?![A-Z_]+:)/,
			},
			{
				forms: [
					['fs_read', { path: 'log.txt' }],
					['shell_run', { argv: ['sh', '-c', 'node make.js > log.txt'] }],
					['fs_read', { path: 'log.txt' }],
				],
				wants: /made/,
			},
		],
		ends: (read) => read('log.txt').toString() === 'made\n',
		requests: 4,
	},
];

/** A form that worked is the one that the model begins with the next time. */
function playing(steps: readonly Step[]): (n: number, request: RecordedRequest) => ScriptEntry {
	let at = 0;
	let form = 0;
	return (n, { body }) => {
		const messages = body['messages'] as readonly { readonly content: unknown }[];
		const step = steps[at];
		if (n > 0 && step !== undefined) {
			const isDone = step.wants.test(String(messages.at(-1)?.content));
			at += isDone || form === step.forms.length - 1 ? 1 : 0;
			form = isDone || at > steps.indexOf(step) ? 0 : form + 1;
		}
		const call = steps[at]?.forms[form];
		return call === undefined ? { text: 'That is what I found.' } : { toolCalls: [{ name: call[0], input: call[1] }] };
	};
}

describe('Five usual tasks', function () {
	this.timeout(commandLimitMs);
	const program = process.env['PROWESS_TASKS_CLI'];
	const rows: string[] = [];

	after(() => console.log(['| Task | Requests |', '| --- | --- |', ...rows].join('\n')));

	for (const { task, files, steps, ends, requests } of tasks) {
		it(`take a request for each step: ${task.toLowerCase()}`, async () => {
			const user = new User();
			for (const [path, content] of Object.entries(files)) {
				user.writes(path, '');
				writeFileSync(join(user.workspace, path), content);
			}
			const server = await startModelServer(playing(steps));
			const options = program === undefined ? {} : { program };
			const { code, stderr } = await user.promptsApart(server.baseUrl, task, ['--approve', 'full'], options).ended;
			await server.close();
			const isRight = code === 0 && ends((path) => readFileSync(join(user.workspace, path)));
			rows.push(`| ${task} | ${server.requests.length}${isRight ? '' : ', and it is not done'} |`);
			if (program === undefined) {
				assert.deepEqual([isRight, server.requests.length], [true, requests], stderr);
			}
		});
	}
});
