import assert from 'node:assert/strict';
import type { Mode } from '../../protocol/thread.ts';
import { estimateTokens } from '../models/token-estimate.ts';
import { systemPrompt } from './system-prompt.ts';
import { declareTools, offeredOps } from './tool-declarations.ts';

/** In the form of OpenAI's interface, which wraps each tool most. */
const wired = (mode: Mode, hasEditor: boolean) => {
	const tools = declareTools(offeredOps(mode, hasEditor)).map(({ name, description, inputSchema }) => ({
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
		it(`holds system prompt and tools in at most 7 KB and ${most} tokens in ${where}, capabilities apart`, () => {
			const body = wired('agent', hasEditor);
			assert.ok(Buffer.byteLength(body) <= 7_168, `${Buffer.byteLength(body)} bytes`);
			const tokens = estimateTokens(body);
			assert.ok(tokens <= most, `${tokens} tokens`);
		});
	}

	it('tells of ops that are one concept as one tool', () => {
		const tools = declareTools(offeredOps('agent', true));
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
		const [list] = declareTools(offeredOps('ask', false)).filter(({ name }) => name === 'shell_output');
		assert.equal(list?.description, 'New output of a background command.');
	});

	it('offers in ask mode nothing that writes or runs', () => {
		const asked = offeredOps('ask', true);
		const missing = offeredOps('agent', true).filter((name) => !asked.includes(name));
		const writes = ['fs.edit', 'fs.write', 'fs.move', 'fs.delete'];
		assert.deepEqual(missing, [...writes, 'shell.run', 'shell.stop', 'capability.start', 'capability.stop']);
	});

	it('offers nothing that only an editor knows where there is none', () => {
		const missing = offeredOps('agent', true).filter((name) => !offeredOps('agent', false).includes(name));
		assert.deepEqual(missing, ['editor.diagnostics', 'editor.symbols', 'editor.references']);
	});
});
