/** Calls as other agents' models write them, through the real CLI, its server and a model over HTTP. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

describe('prowess run: calls that are not as they should be', function () {
	this.timeout(commandLimitMs);

	it('do what they mean, and the model is told how they were read', async () => {
		const user = new User();
		user.writes('a.tmp', 'x');
		user.writes('src/a.ts', 'let a = 1;\n');
		const server = await startModelServer([
			{ toolCalls: [{ name: 'shell_run', input: { command: 'rm -f *.tmp && echo gone > b.txt' } }] },
			{ toolCalls: [{ name: 'functions.fs_read', input: { file_path: 'src/a.ts', offset: '1', limit: null } }] },
			{ toolCalls: [{ name: 'fs_edit', input: { file_path: 'src/a.ts', old_string: '1', new_string: '2' } }] },
			{ text: 'Done.' },
		]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'go', ['--approve', 'full']).ended;
		await server.close();
		assert.equal(code, 0, stderr);
		assert.equal(existsSync(join(user.workspace, 'a.tmp')), false);
		assert.equal(readFileSync(join(user.workspace, 'b.txt'), 'utf8'), 'gone\n');
		assert.equal(readFileSync(join(user.workspace, 'src/a.ts'), 'utf8'), 'let a = 2;\n');
		const told = server.requests.slice(1).map(({ body }) => {
			const messages = body['messages'] as { readonly content: string }[];
			return messages.at(-1)?.content ?? '';
		});
		assert.match(
			told[0] ?? '',
			/\[exit code 0[^\]]*\]\n(?:\[changed[^\]]*\]\n)?\[read: "command" as "argv", the line as a list of words\]$/,
		);
		assert.match(
			told[1] ?? '',
			/let a = 1;[\s\S]*\[read: the tool "functions.fs_read" as "fs_read", "file_path" as "path", "offset" as a number\]$/,
		);
		assert.match(told[2] ?? '', /\[read: "file_path" as "path", .*one edit as a list of edits\]$/);
	});

	it('run each once where two have the same id, and each gets its own result', async () => {
		const user = new User();
		const write = (path: string) => ({ name: 'fs_write', input: { path, content: path }, callId: 'call_same' });
		const server = await startModelServer([
			{ toolCalls: [write('one.txt'), write('two.txt')] },
			{ toolCalls: [write('three.txt')] },
			{ text: 'Done.' },
		]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'go', ['--approve', 'full']).ended;
		await server.close();
		assert.equal(code, 0, stderr);
		for (const path of ['one.txt', 'two.txt', 'three.txt']) {
			assert.equal(readFileSync(join(user.workspace, path), 'utf8'), path);
		}
		const messages = server.requests.at(-1)?.body['messages'] as readonly {
			readonly tool_calls?: readonly { readonly id: string }[];
			readonly tool_call_id?: string;
			readonly content: string;
		}[];
		const asked = messages.flatMap((message) => message.tool_calls?.map(({ id }) => id) ?? []);
		const answered = messages.flatMap(({ tool_call_id: id, content }) => (id === undefined ? [] : [{ id, content }]));
		assert.deepEqual([asked.length, new Set(asked).size], [3, 3]);
		assert.deepEqual(
			answered.map(({ id }) => id),
			asked,
		);
		assert.deepEqual(
			answered.map(({ content }) => /(?:one|two|three)\.txt/.exec(content)?.[0]),
			['one.txt', 'two.txt', 'three.txt'],
		);
	});

	it('with an input of 6 MB write nothing, and the model is told why', async () => {
		const user = new User();
		const input = { path: 'big.txt', content: 'x'.repeat(6_000_000) };
		const server = await startModelServer([{ toolCalls: [{ name: 'fs_write', input }] }, { text: 'Smaller, then.' }]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'go', ['--approve', 'full']).ended;
		await server.close();
		assert.equal(code, 0, stderr);
		assert.equal(existsSync(join(user.workspace, 'big.txt')), false);
		const sent = JSON.stringify(server.requests.at(-1)?.body);
		assert.ok(sent.length < 200_000, `${sent.length}`);
		const messages = server.requests.at(-1)?.body['messages'] as { readonly content: string }[];
		assert.match(messages.at(-1)?.content ?? '', /content|too (?:long|large)|characters/);
	});

	it('write and read files without a shell, which undo knows of', async () => {
		const user = new User();
		user.writes('names.txt', 'pear\nfig\n');
		const command = 'sort < names.txt > sorted.txt 2>&1 && wc -l < sorted.txt; false || cat sorted.txt';
		const server = await startModelServer([
			{ toolCalls: [{ name: 'shell_run', input: { command } }] },
			{ text: 'Done.' },
		]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'go', ['--approve', 'auto']).ended;
		await server.close();
		assert.equal(code, 0, stderr);
		assert.equal(readFileSync(join(user.workspace, 'sorted.txt'), 'utf8'), 'fig\npear\n');
		const messages = server.requests[1]?.body['messages'] as { readonly content: string }[];
		const told = messages.at(-1)?.content ?? '';
		assert.match(told, /^2\nfig\npear\n[\s\S]*the line as a list of words\]$/);
		const { stdout: listed } = await user.runs(['change', 'list']);
		assert.match(listed, /sorted\.txt \(created, \+2 -0\)/);
		const undone = await user.runs(['change', 'undo', /thr_\S+/.exec(listed)?.[0] ?? '']);
		assert.equal(undone.code, 0, undone.stderr);
		assert.ok(!existsSync(join(user.workspace, 'sorted.txt')));
	});

	it('do nothing where what they mean cannot be known, and the model is told every problem', async () => {
		const user = new User();
		user.writes('src/a.ts', 'let a = 1;\n');
		const bent: readonly (readonly [name: string, input: object, told: RegExp])[] = [
			[
				'fs_write',
				{ path: 'b.ts', content: { a: 1 }, mode: 7 },
				/content: expected text, got an object; there is no "mode"/,
			],
			[
				'fs_edit',
				{ path: 'src/a.ts', edits: [7, { find: '' }] },
				/edits\.0: .*edits\.1\.find: .*edits\.1\.replace: required/,
			],
			['functions.fs.delete', { recursive: true }, /path: required/],
			['fs_move', { from: 'src/a.ts', to: ['b.ts', 'c.ts'] }, /to: expected text, got a list/],
			[
				'shell_run',
				{ argv: ['touch', 'b.ts'], cwd: 7.5, timeoutMs: 'soon' },
				/timeoutMs: expected a number, got "soon"/,
			],
			['http_request', { method: 'SEND', url: null }, /method: expected one of .*; url: expected text, got null/],
			['sql_execute', { path: 'a.db', statements: [] }, /statements: must not be empty/],
		];
		const server = await startModelServer([
			{ toolCalls: bent.map(([name, input]) => ({ name, input })) },
			{ text: 'None of these worked.' },
		]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'go', ['--approve', 'full']).ended;
		await server.close();
		assert.equal(code, 0, stderr);
		const messages = (server.requests[1]?.body['messages'] ?? []) as {
			readonly role: string;
			readonly content: string;
		}[];
		const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
		assert.equal(told.length, bent.length);
		for (const [index, [name, , problems]] of bent.entries()) {
			assert.match(told[index] ?? '', problems, name);
			assert.match(told[index] ?? '', /^INVALID_PARAMS/, name);
		}
		assert.deepEqual(readdirSync(user.workspace, { recursive: true }).map(String).toSorted(), [
			'src',
			join('src', 'a.ts'),
		]);
		assert.equal(readFileSync(join(user.workspace, 'src/a.ts'), 'utf8'), 'let a = 1;\n');
	});
});
