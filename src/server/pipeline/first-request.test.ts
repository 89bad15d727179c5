import assert from 'node:assert/strict';
import { readSettings } from '../../protocol/settings/read-settings.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import { estimateTokens } from '../models/windows/token-estimate.ts';
import { commentsNote } from '../prompt/notes.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import { declareTools } from '../tools/tool-declarations.ts';
import { isRare, offeredOps, toolSplit, toolsOfTurn } from '../tools/tool-split.ts';

const inEditor = { hasEditor: true, hasWebSearch: false, hasMcp: false, hasCodeIndex: false, hasMemory: true };
const inTerminal = { hasEditor: false, hasWebSearch: false, hasMcp: false, hasCodeIndex: false, hasMemory: true };

/** In the form of OpenAI's interface, which wraps each tool most. */
const wired = (mode: Mode, hasEditor: boolean, context: readonly ContextRef[] = []) => {
	const turn = { mode, results: { result: () => undefined }, context };
	const { settings } = readSettings(() => undefined);
	const host = { redacted: <T>(value: T) => Promise.resolve(value) };
	const { declarations } = toolsOfTurn(turn, {
		hasEditor,
		settings: () => settings,
		workspace: () => ({ folders: [], trusted: true, platform: 'linux' }),
		host,
	});
	const tools = declarations.map(({ name, description, inputSchema }) => ({
		type: 'function',
		function: { name, description, parameters: inputSchema },
	}));
	const messages = [
		{ role: 'system', content: systemPrompt(mode) },
		{ role: 'user', content: 'Go.' },
	];
	return JSON.stringify({ model: 'a-model', messages, tools, stream: true, stream_options: { include_usage: true } });
};

describe('the first request', () => {
	for (const [where, hasEditor, most] of [
		['an editor', true, 1_980],
		['a terminal', false, 1_840],
	] as const) {
		it(`holds system prompt and tools in at most 8 KB and ${most} tokens in ${where}, capabilities apart`, () => {
			const body = wired('agent', hasEditor);
			assert.ok(Buffer.byteLength(body) <= 8_192, `${Buffer.byteLength(body)} bytes`);
			const tokens = estimateTokens(body);
			assert.ok(tokens <= most, `${tokens} tokens`);
		});
	}

	it('tells of ops that are one concept as one tool', () => {
		const tools = declareTools(offeredOps('agent', inEditor));
		assert.ok(!tools.some(({ name }) => ['fs_find', 'shell_stop', 'editor_references'].includes(name)));
		assert.deepEqual(
			tools.find(({ name }) => name === 'shell_output'),
			{
				name: 'shell_output',
				description: 'New output of a background command. With stop: Stop a background command.',
				inputSchema: {
					type: 'object',
					properties: { commandId: { type: 'string' }, waitMs: { type: 'integer' }, stop: { type: 'boolean' } },
					required: ['commandId'],
				},
			},
		);
	});

	it('tells of such an op by its own name where the other one is not offered', () => {
		assert.deepEqual(
			declareTools(['fs.find']).map(({ name, inputSchema }) => [name, inputSchema['required']]),
			[['fs_find', ['pattern']]],
		);
		const [list] = declareTools(offeredOps('ask', inTerminal)).filter(({ name }) => name === 'shell_output');
		assert.equal(list?.description, 'New output of a background command.');
	});

	it('offers in ask mode nothing that writes or runs', () => {
		const asked = offeredOps('ask', inEditor);
		const missing = offeredOps('agent', inEditor).filter((name) => !asked.includes(name));
		const writes = ['fs.edit', 'fs.write', 'fs.move', 'fs.delete'];
		const runs = ['shell.run', 'shell.stop', 'capability.start', 'capability.stop'];
		assert.deepEqual(missing, [
			...writes,
			...runs,
			'editor.refactor',
			'http.request',
			'sql.execute',
			'browser.act',
			'memory.forget',
			'schedule.add',
			'goal.start',
			'script.run',
			'agent.apply',
		]);
	});

	it('offers the tool for answers with comments, and tells of it where an editor can show them', () => {
		const ref = {
			kind: 'comment',
			name: 'c1',
			path: 'a.ts',
			startLine: 1,
			endLine: 1,
			code: 'x',
			text: 'why?',
		} as const;
		assert.match(wired('agent', true, [ref]), /"name":"editor_comment"/);
		assert.doesNotMatch(wired('agent', false, [ref]), /editor_comment/);
		assert.match(commentsNote([ref], true), /call editor_comment with its name/);
		assert.deepEqual([commentsNote([ref], false), commentsNote([], true)], ['', '']);
	});

	it('names rare tools in one line, without their schemas', () => {
		const { declarations } = toolSplit('agent', inEditor);
		const rare = offeredOps('agent', inEditor).filter(isRare);
		assert.ok(rare.length >= 5);
		for (const name of declareTools(rare).map((tool) => tool.name)) {
			assert.ok(!declarations.some((tool) => tool.name === name), name);
			assert.match(declarations.find((tool) => tool.name === 'tool_search')?.description ?? '', new RegExp(name));
		}
	});

	it('offers nothing that only an editor knows where there is none', () => {
		const missing = offeredOps('agent', inEditor).filter((name) => !offeredOps('agent', inTerminal).includes(name));
		assert.deepEqual(missing, [
			'editor.diagnostics',
			'editor.symbols',
			'editor.references',
			'editor.refactor',
			'editor.comment',
		]);
	});

	it('names the tools of MCP servers only where one is configured, and calls none in ask mode', () => {
		assert.ok(!offeredOps('agent', inEditor).some((name) => name.startsWith('mcp.')));
		const withServers = { ...inEditor, hasMcp: true, hasMemory: true };
		const offered = (mode: Mode) => offeredOps(mode, withServers).filter((name) => name.startsWith('mcp.'));
		assert.deepEqual(offered('agent'), ['mcp.tools', 'mcp.call', 'mcp.resources', 'mcp.read']);
		assert.deepEqual(offered('ask'), ['mcp.tools', 'mcp.resources', 'mcp.read']);
	});

	it('offers a search of the web only where the user has named a provider', () => {
		assert.ok(!offeredOps('agent', inTerminal).includes('web.search'));
		assert.ok(
			offeredOps('plan', {
				hasEditor: false,
				hasWebSearch: true,
				hasMcp: false,
				hasCodeIndex: false,
				hasMemory: true,
			}).includes('web.search'),
		);
	});
});
