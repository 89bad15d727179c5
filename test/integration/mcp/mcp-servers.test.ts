/** Public MCP servers, started as the product starts them: each in the sandbox of commands where this machine has one. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeskQuestion } from '../../../src/protocol/approvals/approvals.ts';
import { hostileServer, McpScene, ownServer, publicServer } from '../../support/mcp-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

const modern = join(import.meta.dirname, '../../fixtures/mcp/modern-server.mjs');

describe('A public MCP server', function () {
	this.timeout(60_000);
	let scene: McpScene | undefined;
	afterEach(async () => {
		await scene?.close();
		scene = undefined;
	});

	it('everything: lists its tools with schemas, answers calls, and gives the picture of a result', async () => {
		scene = await McpScene.open({ everything: publicServer('everything') });
		const { servers } = await scene.perform('mcp.tools', { server: 'everything' });
		const echo = servers[0]?.tools.find(({ name }) => name === 'echo');
		assert.match(echo?.inputSchema ?? '', /"message"/);
		assert.equal(await scene.call('everything', 'echo', { message: 'hello' }), 'Echo: hello');
		const picture = await scene.perform('mcp.call', { server: 'everything', tool: 'get-tiny-image' });
		assert.deepEqual([picture.leftOut, picture.media?.map(({ type }) => type)], [[], ['image/png']]);
	});

	it('everything: asks the user as its tool runs, one question for each field', async () => {
		const questions: string[] = [];
		const answer = ({ question, options, server }: DeskQuestion) => {
			assert.equal(server, 'everything');
			questions.push(question);
			return Promise.resolve(/Integer/.test(question) ? '7' : options.includes('Skip') ? 'Skip' : 'Ada');
		};
		scene = await McpScene.open(
			{ everything: publicServer('everything') },
			{ person: { answer }, answers: () => ({ kind: 'always' }) },
		);
		const said = await scene.call('everything', 'trigger-elicitation-request');
		assert.match(questions.join('\n'), /^The MCP server everything asks: /);
		assert.match(questions.join('\n'), /^Skip answers: It was a dark and stormy night\.$/m);
		assert.match(said, /"name": "Ada",\s+"firstLine": "It was a dark and stormy night\.",\s+"integer": 7/);
	});

	it('everything: asks nobody where two threads use it and nothing says for which of them it asks', async () => {
		const asked = Promise.withResolvers<void>();
		const answers = Promise.withResolvers<void>();
		const answer = async ({ question, options }: DeskQuestion) => {
			asked.resolve();
			await answers.promise;
			return /Integer/.test(question) ? '7' : options.includes('Skip') ? 'Skip' : 'Ada';
		};
		scene = await McpScene.open({ everything: publicServer('everything') }, { person: { answer } });
		const first = scene.call('everything', 'trigger-elicitation-request');
		await asked.promise;
		assert.match(
			await scene.callElsewhere('everything', 'trigger-elicitation-request'),
			/the user is not asked: several threads use the server now/,
		);
		answers.resolve();
		assert.match(await first, /"name": "Ada"/);
	});

	it('of the newest revision of the protocol is spoken to in that one', async () => {
		scene = await McpScene.open({ modern: ownServer(modern) });
		assert.equal(await scene.call('modern', 'era'), 'modern');
	});

	it('whose tools are denied with a star is called for none of them, also one with a slash that a rule allows', async () => {
		const rules = {
			'prowess.approvals.deny': ['mcp.call modern/*'],
			'prowess.approvals.allow': ['mcp.call modern/a.b/c', 'mcp.call modern/era'],
		};
		scene = await McpScene.open({ modern: ownServer(modern) }, { settings: rules });
		assert.deepEqual((await scene.tools('modern')).toSorted(), ['a.b/c', 'era']);
		for (const tool of ['a.b/c', 'era']) assert.match(await scene.failure('modern', tool), /^DENIED_BY_RULE: /, tool);
	});

	it('whose tools are allowed with a star is called for all of them without a question', async () => {
		const rules = { 'prowess.approvals.allow': ['mcp.call modern/*'] };
		scene = await McpScene.open({ modern: ownServer(modern) }, { settings: rules });
		assert.equal(await scene.call('modern', 'a.b/c'), 'called');
		assert.deepEqual(
			scene.asked.filter(({ op }) => op === 'mcp.call').map(({ title }) => title),
			[],
		);
	});

	it('that takes its time with the folders of the workspace has them before its first call', async () => {
		scene = await McpScene.open({ slow: hostileServer('takes-roots') });
		const roots = JSON.parse(await scene.call('slow', 'echo')) as { uri: string }[];
		assert.equal(roots.length, 1);
		assert.match(roots[0]?.uri ?? '', /^file:/);
	});

	it('that asks for the folders only in its first call, and fails it, is said to have them from then on', async () => {
		const late = await McpScene.open({ late: hostileServer('takes-roots-late') });
		scene = late;
		const call = async () => {
			const { isError, leftOut } = await late.perform('mcp.call', { server: 'late', tool: 'echo', arguments: {} });
			return [isError, leftOut];
		};
		const said = 'the server asked for the folders of the workspace only in this call, and has them from now on';
		assert.deepEqual(await call(), [true, [said]]);
		assert.deepEqual(await call(), [false, []]);
	});

	it('memory: keeps what it was told in the file that its entry lets it write, across starts', async () => {
		const folder = tempDir('memory');
		const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
		scene = await McpScene.open({ memory: publicServer('memory', [], { env, needs: { write: [folder] } }) });
		const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes larks'] }];
		await scene.call('memory', 'create_entities', { entities });
		await scene.base.mcp.stop('memory');
		assert.match(await scene.call('memory', 'read_graph'), /likes larks/);
		assert.match(readFileSync(env.MEMORY_FILE_PATH, 'utf8'), /likes larks/);
	});

	it('filesystem: reads the workspace, which is its root, and neither a secret file nor anything else', async () => {
		const outside = join(tempDir('outside'), 'other.txt');
		writeFileSync(outside, 'canary-of-outside');
		scene = await McpScene.open(
			{ files: publicServer('filesystem', ['${workspaceFolder}']) },
			{ files: { 'a.txt': 'in the workspace', '.env': 'KEY=canary-of-env' } },
		);
		const { workspace } = scene.host;
		assert.match(await scene.call('files', 'read_text_file', { path: join(workspace, 'a.txt') }), /in the workspace/);
		const read = await scene.perform('mcp.call', {
			server: 'files',
			tool: 'read_text_file',
			arguments: { path: outside },
		});
		assert.equal(read.isError, true);
		const secret = await scene.perform('mcp.call', {
			server: 'files',
			tool: 'read_text_file',
			arguments: { path: join(workspace, '.env') },
		});
		assert.doesNotMatch(secret.text, /canary/);
	});
});
