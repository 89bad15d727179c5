import assert from 'node:assert/strict';
import { limits } from '../limits.ts';
import { estimateTokens } from '../models/token-estimate.ts';
import { systemPrompt } from './system-prompt.ts';
import { declareTool, offeredOps } from './tool-declarations.ts';

describe('the first request', () => {
	it('holds system prompt, tools and the names of capabilities in at most 8 KB and 2,000 tokens', () => {
		const tools = offeredOps('agent', true).map(declareTool);
		const body = JSON.stringify({ system: systemPrompt('agent'), tools });
		assert.ok(Buffer.byteLength(body) <= 7_168, `${Buffer.byteLength(body)} bytes`);
		const tokens = estimateTokens(body) + limits.offeredCapabilitiesTokens;
		assert.ok(tokens <= 2_000, `${tokens} tokens`);
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
