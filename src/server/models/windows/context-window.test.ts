import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { guessContextWindow } from './context-window.ts';

describe('contextWindowOf', () => {
	const cases = [
		['never-heard-of', 128_000],
		['', 128_000],
		['claude-opus-4-5', 200_000],
		['anthropic/claude-sonnet-4-5', 200_000],
		['gpt-4.1-mini', 1_047_576],
		['gpt-4', 8_192],
		['GPT-4o', 128_000],
		['gpt-5', 400_000],
		['google/gemini-2.5-pro', 1_048_576],
		['qwen3-coder:30b', 262_144],
	] as const;
	for (const [modelId, tokens] of cases) {
		it(`takes ${tokens} for ${JSON.stringify(modelId)}`, () => {
			assert.equal(guessContextWindow(modelId), tokens);
		});
	}
});
