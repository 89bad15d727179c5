/** The permission level at which a thread is, once the rules of the user and of the workspace have their say. */
import {
	isWiderLevel,
	type LevelInForce,
	pickNarrowerLevel,
	type PermissionLevel,
} from '../../../../protocol/ops/permission-level.ts';
import { type Text, text } from '../../../../protocol/text/text.ts';
import type { ApprovalMode } from '../../../../contract/ports/ports.ts';
import type { StrictRules } from '../rules/strict-rule.ts';

/** While a rule cannot be read, everything is asked, so no level is wider than Ask. */
export function levelInForce(chosen: PermissionLevel, { widest, unreadable }: StrictRules): LevelInForce {
	const [what] = unreadable;
	const permitted = widest?.level ?? 'full';
	const limit = what === undefined ? permitted : pickNarrowerLevel(permitted, 'ask');
	return { level: pickNarrowerLevel(chosen, limit), widest: limit, why: reasonFor(what, widest) };
}

/**
 * Level up to which a host asks nothing in a thread: the wider of the thread's and of what the host was started with, as far as
 * rules permit. A host that refuses every question lets pass what Ask does, and a thread at Manual stays there.
 */
export function levelInHost(
	{ level, widest }: Pick<LevelInForce, 'level' | 'widest'>,
	mode: ApprovalMode,
): PermissionLevel {
	if (mode === 'never') {
		return pickNarrowerLevel(level, 'ask');
	}
	const started = pickNarrowerLevel(mode, widest);
	return level !== 'manual' && isWiderLevel(started, level) ? started : level;
}

function reasonFor(unreadable: string | undefined, widest: StrictRules['widest']): Text | null {
	if (unreadable !== undefined) {
		return text('Everything needs your approval while this cannot be read: {what}.', { what: unreadable });
	}
	return widest === undefined ? null : text('{source} permits no wider level.', { source: widest.source });
}
