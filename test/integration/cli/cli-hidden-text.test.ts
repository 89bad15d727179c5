/** Text that hides something from whoever reads it, on its way to the model and back. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

const hidden = '\u200b\u202e\u2066\u{e0041}\u001b';
const shown = '\\u{200b}\\u{202e}\\u{2066}\\u{e0041}\\u{1b}';
const anyHidden = /[\u200b\u202e\u2066\u{e0041}\u001b]/u;

describe('prowess run: hidden characters', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer;
	afterEach(async () => {
		await server.close();
	});

	/** The texts of all that the model was told, one message each. */
	function told(): string[] {
		return server.requests.flatMap(({ body }) =>
			(body['messages'] as { readonly content: unknown }[]).map(({ content }) =>
				typeof content === 'string' ? content : JSON.stringify(content),
			),
		);
	}

	it('reach the model only as escapes, whatever they come from', async () => {
		const user = new User();
		user.writes(`name${hidden}.txt`, 'x\n');
		user.writes('a.txt', `needle ${hidden} in it\n`);
		user.writes('AGENTS.md', `Be kind.${hidden}\n`);
		user.writes('print.cjs', `process.stdout.write(${JSON.stringify(`out ${hidden}`)})`);
		server = await startModelServer([
			{
				toolCalls: [
					{ name: 'fs_list', input: {} },
					{ name: 'fs_read', input: { path: 'a.txt' } },
					{ name: 'fs_read', input: { path: `no${hidden}.txt` } },
					{ name: 'search_text', input: { pattern: 'needle' } },
					{ name: 'shell_run', input: { argv: ['node', 'print.cjs'] } },
				],
			},
			{ text: 'Done.' },
		]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'look', ['--approve', 'auto']).ended;
		assert.equal(code, 0, stderr);
		const results = told();
		assert.deepEqual(
			results.filter((text) => anyHidden.test(text)),
			[],
		);
		for (const part of [`Be kind.${shown}`, `name${shown}.txt`, `needle ${shown} in it`]) {
			assert.ok(
				results.some((text) => text.includes(part)),
				`${part} in ${results.join('\n')}`,
			);
		}
		assert.ok(results.some((text) => text.includes('stands for an invisible character of the file, in line 1;')));
	});

	it('can be edited by their escapes, and an escape that a file spells out stays one', async () => {
		const user = new User();
		user.writes('a.txt', `one\u200b two\nthree\n`);
		user.writes('b.js', String.raw`const space = '\u{200b}';`);
		const edit = (path: string, find: string, replace: string) => ({
			name: 'fs_edit',
			input: { path, edits: [{ find, replace }] },
		});
		server = await startModelServer([
			{
				toolCalls: [
					edit('a.txt', 'one\\u{200b} two', 'one\\u{200b} 2'),
					edit('b.js', String.raw`'\u{200b}'`, String.raw`'\u{200b}\u{200b}'`),
				],
			},
			{ text: 'Done.' },
		]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'edit', ['--approve', 'auto']).ended;
		assert.equal(code, 0, stderr);
		const text = (path: string) => readFileSync(join(user.workspace, path), 'utf8');
		assert.equal(text('a.txt'), 'one\u200b 2\nthree\n');
		assert.equal(text('b.js'), String.raw`const space = '\u{200b}\u{200b}';`);
	});
});
