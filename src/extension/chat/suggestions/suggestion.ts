/** Suggestions after `@`. */
import type { ContextRef } from '../../../protocol/thread/context.ts';
import type { NamedCandidate } from './path-index.ts';

export interface MentionSuggestion {
	/** Added to the message when it is chosen. */
	readonly ref: ContextRef;
	readonly label: string;
	readonly detail: string;
}

/** Suggestion that is found by words of its own. */
export interface NamedSuggestion extends NamedCandidate {
	readonly suggestion: MentionSuggestion;
}
