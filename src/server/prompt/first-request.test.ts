import assert from 'node:assert/strict';
import { estimateTokens } from '../models/token-estimate.ts';
import { systemPrompt } from './system-prompt.ts';
import { declareTool, offeredOps } from './tool-declarations.ts';

describe('the first request', () => {
	it('holds system prompt and tools in at most 8 KB and 2,000 tokens', () => {
		const tools = offeredOps('agent').map(declareTool);
		const body = JSON.stringify({ system: systemPrompt('agent'), tools });
		assert.ok(Buffer.byteLength(body) <= 8_192, `${Buffer.byteLength(body)} bytes`);
		assert.ok(estimateTokens(body) <= 2_000, `${estimateTokens(body)} tokens`);
	});

	it('offers in ask mode nothing that writes or runs', () => {
		const missing = offeredOps('agent').filter((name) => !offeredOps('ask').includes(name));
		const writes = ['fs.edit', 'fs.write', 'fs.move', 'fs.delete'];
		assert.deepEqual(missing, [...writes, 'shell.run', 'shell.stop', 'capability.start', 'capability.stop']);
	});
});
