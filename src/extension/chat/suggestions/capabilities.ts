/** Capabilities that are switched on, for suggestions after `@`. */
import type { NamedCapability } from '../requests/named-capabilities.ts';
import { matchable } from './match.ts';
import type { NamedSuggestion } from './suggestion.ts';

/** Below every file that fits as well. */
const BONUS = -10;

export function capabilitySuggestions(capabilities: readonly NamedCapability[]): NamedSuggestion[] {
	return capabilities.map(({ type, name, description, source }) => ({
		...matchable(`capability ${type} ${name}`),
		bonus: BONUS,
		suggestion: {
			ref: { kind: 'capability', type, name },
			label: `${type} ${name}`,
			detail: `${source} · ${description}`,
		},
	}));
}
