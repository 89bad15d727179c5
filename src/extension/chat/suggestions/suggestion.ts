/** Suggestions after `@`; those that take time to find are kept for a moment. */
import type { LogPort } from '../../../contract/ports/ports.ts';
import type { ContextRef } from '../../../protocol/thread/context.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { KeptValue } from '../../../machine/mentions/kept-value.ts';
import type { NamedCandidate } from '../../../machine/mentions/path-index.ts';

export interface MentionSuggestion {
	/** Added to the message when it is chosen. */
	readonly ref: ContextRef;
	readonly label: string;
	readonly detail: string;
	/** Choosing it turns on what it needs, which is off. */
	readonly isOff?: true;
}

/** Suggestion that is found by words of its own. */
export interface NamedSuggestion extends NamedCandidate {
	readonly suggestion: MentionSuggestion;
}

/** `what` they are, for the log. `of`: as for any kept value. */
export function keptSuggestions(
	what: string,
	log: LogPort,
	find: () => Promise<readonly NamedSuggestion[]>,
	of?: () => unknown,
): KeptValue<readonly NamedSuggestion[]> {
	return new KeptValue({
		make: () =>
			find().catch((error: unknown) => {
				log.debug(`${what} after @`, { error: String(error) });
				return [];
			}),
		...(of && { of }),
		freshMs: extensionLimits.completionCacheMs,
		patienceMs: extensionLimits.completionPatienceMs,
		now: () => performance.now(),
	});
}
