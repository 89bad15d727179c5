/** The permission level at which a thread is, once the rules of the user and of the workspace have their say. */
import { type LevelInForce, narrower, type PermissionLevel } from '../../../../protocol/approvals/permission-level.ts';
import { type Text, text } from '../../../../protocol/text/text.ts';
import type { StrictRules } from '../rules/strict-rule.ts';

/** While a rule cannot be read, everything is asked, so no level is wider than Ask. */
export function levelInForce(chosen: PermissionLevel, { widest, unreadable }: StrictRules): LevelInForce {
	const [what] = unreadable;
	const permitted = widest?.level ?? 'full';
	const limit = what === undefined ? permitted : narrower(permitted, 'ask');
	return { level: narrower(chosen, limit), widest: limit, why: reasonFor(what, widest) };
}

function reasonFor(unreadable: string | undefined, widest: StrictRules['widest']): Text | null {
	if (unreadable !== undefined) {
		return text('Everything needs your approval while this cannot be read: {what}.', { what: unreadable });
	}
	return widest === undefined ? null : text('{source} permits no wider level.', { source: widest.source });
}
