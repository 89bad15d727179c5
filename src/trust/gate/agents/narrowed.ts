/** Narrows mode and permission level of a sub-agent to those of its parents; `agent-records.ts` narrows its ops. */
import { pickNarrowerLevel, type PermissionLevel } from '../../../protocol/permission-level.ts';
import type { Mode } from '../../../protocol/thread/thread.ts';

/** Least first: Plan may ask for what Ask may, and for a yes to a plan. */
const MODES: readonly Mode[] = ['ask', 'plan', 'agent'];

export function narrowerMode(one: Mode, other: Mode): Mode {
	return MODES.indexOf(one) < MODES.indexOf(other) ? one : other;
}

/** `own`: of the sub-agent; undefined: that of its parent. */
export function narrowedLevel(own: PermissionLevel | undefined, ofParent: PermissionLevel): PermissionLevel {
	return own === undefined ? ofParent : pickNarrowerLevel(own, ofParent);
}
