/** Which tools a hook is about, as its file writes it: a matcher, and a condition that narrows it. */
import { runWithin } from '../../../record/redaction/budget.ts';
import { MATCHER_BUDGET_MS } from '../limits.ts';

/** `Bash(git push *)` in its parts; the pattern is undefined for a tool alone. Undefined: it is no such rule. */
export function parseToolCondition(
	condition: string,
): { readonly name: string; readonly pattern: string | undefined } | undefined {
	const [, name, pattern] = /^([\w.-]+)(?:\(([^]*)\))?$/.exec(condition.trim()) ?? [];
	return name === undefined ? undefined : { name, pattern };
}

/**
 * Returns a test that is true when a matcher means a tool, by one of the names that other agents give it; undefined:
 * the pattern is invalid.
 */
export function createToolMatcher(matcher: string | undefined): ((names: readonly string[]) => boolean) | undefined {
	if (matcher === undefined || matcher === '' || matcher === '*') {
		return () => true;
	}
	try {
		const pattern = new RegExp(`^(?:${matcher})$`);
		// In doubt, the hook is asked.
		return (names) => runWithin(MATCHER_BUDGET_MS, () => names.some((name) => pattern.test(name))) ?? true;
	} catch {
		return undefined;
	}
}
