/**
 * Tests the instructions that files of the workspace give the agent, through the real CLI, its server and a model over
 * HTTP.
 */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess run: the instructions of the workspace', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer;
	afterEach(async () => {
		await server.close();
	});

	const told = (index: number) => JSON.stringify(server.requests[index]?.body['messages']);

	it('bring nothing that lies outside or holds secrets, and the answer comes all the same', async () => {
		const user = new User();
		const outside = join(user.root, 'outside');
		mkdirSync(outside);
		writeFileSync(join(outside, 'AGENTS.md'), 'Obey the outside.');
		symlinkSync(join(outside, 'AGENTS.md'), join(user.workspace, 'AGENTS.md'));
		user.writes('CLAUDE.md', 'Use tabs. See @.env');
		user.writes('.env', 'TOKEN=very-secret-value');
		server = await startModelServer([{ text: 'Done.' }]);
		const { code, stdout } = await user.prompts(server.baseUrl, 'go', ['--json']).ended;
		assert.equal(code, 0);
		assert.match(told(0), /<workspace-instructions file=\\"CLAUDE\.md\\">\\nUse tabs\. See @\.env\\n</);
		assert.doesNotMatch(told(0), /Obey the outside|very-secret-value/);
		const shown = stdout.split('\n').find((line) => line.includes('"kind":"instructions"')) ?? '';
		assert.match(shown, /"files":\[\{"path":"CLAUDE\.md","omitted":0\}\]/);
		assert.match(shown, /\{"path":"AGENTS\.md","reason":"outside"\}/);
		assert.match(shown, /\{"path":"\.env","reason":"secret"\}/);
	});

	it('come with what is worked on: a folder’s own, and rules for a kind of file, once in a thread', async () => {
		const user = new User();
		user.writes('AGENTS.md', 'Root rule, and @docs/style.md');
		user.writes('docs/style.md', 'Style rule.');
		user.writes('web/AGENTS.md', 'Web rule.');
		user.writes('web/a.ts', 'export {};');
		user.writes('.github/instructions/ts.instructions.md', '---\napplyTo: "**/*.ts"\n---\nTypeScript rule.');
		user.writes('.cursor/rules/db.mdc', '---\ndescription: How to migrate\nalwaysApply: false\n---\nHidden rule.');
		server = await startModelServer([
			{ toolCalls: [{ name: 'fs_read', input: { path: 'web/a.ts' } }] },
			{ text: 'Read.' },
			{ toolCalls: [{ name: 'fs_read', input: { path: 'web/a.ts' } }] },
			{ text: 'Again.' },
		]);
		const { code, stdout, stderr } = await user.prompts(server.baseUrl, 'go', ['--json']).ended;
		assert.equal(code, 0, stderr);
		for (const rule of ['Root rule', 'Style rule', '.cursor/rules/db.mdc: How to migrate']) {
			assert.ok(told(0).includes(rule), rule);
		}
		assert.doesNotMatch(told(0), /Web rule|TypeScript rule|Hidden rule/);
		for (const rule of ['Web rule.', 'TypeScript rule.']) {
			assert.ok(told(1).includes(rule), rule);
		}
		// Earlier messages stay byte for byte, so that they are cached.
		assert.ok(told(1).startsWith(told(0).slice(0, -1)));
		const thread = /"id":"(thr_[^"]+)"/.exec(stdout)?.[1] ?? '';
		const again = await user.prompts(server.baseUrl, 'again', ['--thread', thread]).ended;
		assert.equal(again.code, 0, again.stderr);
		assert.equal(told(3).split('Web rule.').length, 2);
	});

	it('are told with the next message when they have changed, are new or gone, once', async () => {
		const user = new User();
		user.writes('AGENTS.md', 'Use tabs.');
		user.writes('CLAUDE.md', 'Old rule.');
		server = await startModelServer(() => ({ text: 'Fine.' }));
		const first = await user.prompts(server.baseUrl, 'go', ['--json']).ended;
		const thread = /"id":"(thr_[^"]+)"/.exec(first.stdout)?.[1] ?? '';
		const next = async () => (await user.prompts(server?.baseUrl ?? '', 'again', ['--thread', thread]).ended).code;
		const count = (n: number, words: string) => told(n).split(words).length - 1;
		assert.equal(await next(), 0);
		assert.equal(count(1, '<workspace-instructions'), 2);
		user.writes('AGENTS.md', 'Use spaces.');
		user.writes('GEMINI.md', 'New rule.');
		rmSync(join(user.workspace, 'CLAUDE.md'));
		assert.equal(await next(), 0);
		assert.equal(await next(), 0);
		for (const n of [2, 3]) {
			assert.deepEqual(
				['Use tabs.', 'Use spaces.', 'New rule.', 'This file is gone', '<workspace-instructions'].map((words) =>
					count(n, words),
				),
				[1, 1, 1, 1, 5],
			);
			assert.match(
				told(n),
				/Use tabs\.[\s\S]*<workspace-instructions file=\\"AGENTS\.md\\">\\n\[This file has changed since you read it here: only what follows holds, not what it said before\.\]\\nUse spaces\./,
			);
		}
		// Messages already sent are not touched: the newer words come behind them.
		assert.ok(told(3).startsWith(told(2).slice(0, -1)));
		const compacted = await user.prompts(server.baseUrl, '/compact', ['--thread', thread]).ended;
		assert.equal(compacted.code, 0, compacted.stderr);
		assert.equal(await next(), 0);
		const last = server.requests.length - 1;
		assert.deepEqual([count(last, 'Use tabs.'), count(last, 'Use spaces.'), count(last, 'New rule.')], [0, 1, 1]);
	});

	it('are told in part or not at all where a file is huge, broken, binary, a link to itself or imports itself, and the answer comes', async () => {
		const user = new User();
		user.writes('AGENTS.md', 'One. See @loop.md');
		user.writes('loop.md', 'Two. See @AGENTS.md and @loop.md');
		user.writes('CLAUDE.md', `Huge. ${'x'.repeat(200_000)}`);
		writeFileSync(join(user.workspace, 'GEMINI.md'), Buffer.from([0x47, 0x00, 0xff, 0xfe, 0x01, 0x00]));
		mkdirSync(join(user.workspace, '.github'));
		writeFileSync(join(user.workspace, '.github/copilot-instructions.md'), Buffer.from([0x42, 0xc3, 0x28, 0x2e]));
		mkdirSync(join(user.workspace, '.cursor/rules'), { recursive: true });
		user.writes('.cursor/rules/bad.mdc', '---\nglobs: [\n---\nBroken rule.');
		symlinkSync('here.mdc', join(user.workspace, '.cursor/rules/here.mdc'));
		server = await startModelServer([{ text: 'Done.' }]);
		const { code, stdout, stderr } = await user.prompts(server.baseUrl, 'go', ['--json']).ended;
		assert.equal(code, 0, stderr);
		const shown = stdout.split('\n').find((line) => line.includes('"kind":"instructions"')) ?? '';
		const { item } = JSON.parse(shown) as { item: { files: { path: string; omitted: number }[]; left: unknown[] } };
		assert.deepEqual(
			item.files.map(({ path, omitted }) => [path, omitted > 0]),
			[
				['AGENTS.md', false],
				['loop.md', false],
				['CLAUDE.md', true],
				['.github/copilot-instructions.md', false],
			],
		);
		assert.deepEqual(item.left, [
			{ path: 'GEMINI.md', reason: 'unreadable' },
			{ path: '.cursor/rules/here.mdc', reason: 'outside' },
		]);
		assert.equal(told(0).split('Two. See').length, 2);
		assert.match(told(0), /Huge\. x{32000,}\\n\[\d+ more characters; read the file\]/);
	});
});
