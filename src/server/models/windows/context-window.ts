/**
 * Context windows of well-known families, by what a model's name begins with (after a vendor's prefix as in
 * `anthropic/claude-…`). Conservative where a family has several; an unknown model has `defaultContextWindow`.
 * An endpoint that reports the window itself is believed first.
 */
import { modelLimits } from '../limits.ts';

/** Beginnings of names, the first that fits counts. Plain words: each process would compile that many patterns. */
const FAMILIES: readonly (readonly [string, number])[] = [
	['claude', 200_000],
	['gpt-4.1', 1_047_576],
	['gpt-5', 400_000],
	['gpt-4o chatgpt-4o gpt-4-turbo', 128_000],
	['gpt-4', 8_192],
	['gpt-3.5', 16_385],
	['gpt-oss', 131_072],
	['o1 o3 o4', 200_000],
	['codex', 200_000],
	['gemini-1.5-pro', 2_097_152],
	['gemini', 1_048_576],
	['gemma', 131_072],
	['grok-4', 256_000],
	['grok', 131_072],
	['deepseek', 128_000],
	['kimi', 256_000],
	['qwen3-coder', 262_144],
	['qwen', 131_072],
	['glm', 128_000],
	['llama-3.1 llama-3.2 llama-3.3 llama-4 llama3.1 llama3.2 llama3.3 llama4', 131_072],
	['devstral codestral mistral-large mistral-medium mistral-small', 128_000],
];

/** Undefined: of no family that is known. */
export function familyWindow(modelId: string): number | undefined {
	const name = modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase();
	return FAMILIES.find(([begins]) => begins.split(' ').some((begin) => name.startsWith(begin)))?.[1];
}

export function guessContextWindow(modelId: string): number {
	return familyWindow(modelId) ?? modelLimits.defaultContextWindow;
}
