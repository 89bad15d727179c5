/** Suggestions after `@` that take time to find: kept for a moment, and none where they cannot be found. */
import type { LogPort } from '../../../contract/ports/ports.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { KeptValue } from './kept-value.ts';
import type { NamedSuggestion } from './suggestion.ts';

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
