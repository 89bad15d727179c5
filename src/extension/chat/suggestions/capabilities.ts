/** Capabilities that are switched on, for suggestions after `@`. */
import type { NameableCapability } from '../requests/named-capabilities.ts';
import { toMatchable } from './match.ts';
import type { NamedSuggestion } from './suggestion.ts';

/** Below every file that fits as well. */
const CAPABILITY_BONUS = -10;

export function capabilitySuggestions(capabilities: readonly NameableCapability[]): NamedSuggestion[] {
	return capabilities.map(({ type, name, description, source }) => ({
		...toMatchable(`capability ${type} ${name}`),
		bonus: CAPABILITY_BONUS,
		suggestion: {
			ref: { kind: 'capability', type, name },
			label: `${type} ${name}`,
			detail: `${source} · ${description}`,
		},
	}));
}
