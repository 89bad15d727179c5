/** Models that think before they answer, by the names that their vendors give them. */
import type { ProviderKind } from '../../../protocol/turn/models.ts';

/** They take their instructions from a developer, no temperature, and give their reasoning encrypted. */
export const OPENAI_REASONS = /^(?:o\d|gpt-[5-9](?!.*chat)|codex|computer-use)/;
/** The others refuse to be asked for their thoughts. */
export const GEMINI_THINKS = /gemini-(?:2\.5|[3-9])/;
const CLAUDE = /^claude-/;
const CLAUDE_THINKS_NOT = /^claude-(?:2|instant|3-(?!7))/;

/** Undefined: of others' models nobody knows. */
export function knownToThink(kind: ProviderKind, modelId: string): boolean | undefined {
	switch (kind) {
		case 'openai':
			return OPENAI_REASONS.test(modelId);
		case 'google':
			return GEMINI_THINKS.test(modelId);
		case 'anthropic':
			return CLAUDE.test(modelId) ? !CLAUDE_THINKS_NOT.test(modelId) : undefined;
		case 'openai-compatible':
			return undefined;
	}
}
