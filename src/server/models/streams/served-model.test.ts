import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findOtherModel, findServedName } from './served-model.ts';

describe('a model that an endpoint names', () => {
	it('is the one that was asked, with a version, a date, a tag, a folder or a vendor more or less', () => {
		for (const [asked, by] of [
			['gpt-5', 'gpt-5-2026-08-07'],
			['gpt-5-2026-08-07', 'gpt-5'],
			['gpt-4', 'gpt-4-0613'],
			['GPT-5', 'gpt-5'],
			['openai/gpt-5', 'gpt-5-2026-08-07'],
			['claude-sonnet-4.5', 'claude-sonnet-4-5-20250929'],
			['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5-20250929'],
			['claude-3-7-sonnet-latest', 'claude-3-7-sonnet-20250219'],
			['gemini-2.0-flash', 'gemini-2.0-flash-001'],
			['models/gemini-2.5-pro', 'gemini-2.5-pro'],
			['gemini-flash-latest', 'gemini-2.5-flash-preview-09-2025'],
			['llama3.2', 'llama3.2:latest'],
			['deepseek/deepseek-r1:free', 'deepseek/deepseek-r1'],
			['qwen2.5-7b-instruct-q4_k_m', '/models/qwen2.5-7b-instruct-q4_k_m.gguf'],
			['mistral-large', 'mistral-large-2411'],
		] as const) {
			assert.equal(findOtherModel(asked, by), undefined, `${asked} served as ${by}`);
		}
	});

	it('is another one where more than that differs', () => {
		for (const [asked, by] of [
			['gpt-4o', 'gpt-4o-mini'],
			['gpt-4o-mini', 'gpt-4o'],
			['gpt-5', 'gpt-5.1'],
			['gpt-5', 'gpt-5-mini-2026-08-07'],
			['claude-sonnet-4', 'claude-sonnet-4-5-20250929'],
			['claude-opus-4-1-latest', 'claude-sonnet-4-20250514'],
			['llama3:70b', 'llama3:8b'],
			['auto', 'deepseek-chat'],
			['qwen3-32b', 'qwen3-8b'],
		] as const) {
			assert.deepEqual(findOtherModel(asked, by), { asked, by });
		}
	});

	it('is told as one line of bounded length, with its invisible characters shown', () => {
		const by = findOtherModel('m', `a\nb\u202e${'x'.repeat(500)}`)?.by ?? '';
		assert.match(by, /^a b\S*x+…$/);
		assert.doesNotMatch(by, /[\u202e\n]/);
		assert.ok(by.length <= 120);
	});

	it('is found in the events of each dialect, and in none that names no model', () => {
		for (const event of [
			{ model: 'm', choices: [] },
			{ type: 'message_start', message: { model: 'm' } },
			{ type: 'response.completed', response: { model: 'm' } },
			{ modelVersion: 'm', candidates: [] },
			{ model: 'm', message: { role: 'assistant', content: '' }, done: false },
		]) {
			assert.equal(findServedName(event), 'm');
		}
		for (const event of [{}, { model: '' }, { model: 5 }, { message: 'overloaded' }]) {
			assert.equal(findServedName(event), undefined);
		}
	});
});
