/**
 * Time limits of an op, told alike by server and host from its declaration. Each ring waits longer than the one inside
 * it, so that the inner one's answer arrives: the effect, the op around it, the server's call around that. 0: no limit.
 */
import type { OpDef } from '../ops/define-op.ts';

/** For an effect that has come to its own limit: to end, and to give its result. */
export const OWN_LIMIT_GRACE_MS = 10_000;
/** For a host whose op has come to its limit: to stop it, and to answer. */
export const ANSWER_GRACE_MS = 5_000;

/** Settings that limit ops, in seconds; 0: no limit. */
interface LimitSettings {
	readonly 'prowess.agent.toolTimeoutSeconds': number;
	readonly 'prowess.agent.limits': { readonly subAgentSeconds: number };
}

/** Returns the setting that limits an op: of one that waits for another agent, a limit of its own (S2-10). */
export function settingLimitMs({ waitsFor }: Pick<OpDef, 'waitsFor'>, settings: LimitSettings): number {
	const seconds =
		waitsFor === 'agent'
			? settings['prowess.agent.limits'].subAgentSeconds
			: settings['prowess.agent.toolTimeoutSeconds'];
	return seconds * 1_000;
}

type Timed = Pick<OpDef, 'effect' | 'timeoutMs' | 'limitMs'>;

/** Longest time in all of a limit that output renews, to be spread into the limit; empty: output renews none. */
export function longestLimit(
	{ longestMs }: Pick<OpDef, 'longestMs'>,
	limitMs: number,
	graceMs = 0,
): { readonly longestMs?: number } {
	return longestMs === undefined ? {} : { longestMs: Math.max(longestMs + graceMs, limitMs) };
}

/** At this limit the effect ends itself, and its result says so. */
export function ownLimitMs(def: Timed, params: unknown, settingMs: number): number {
	return def.limitMs?.(params, settingMs) ?? 0;
}

/** At this limit the host stops the op, which then has no result. Time in which a person is waited for does not count. */
export function opLimitMs(def: Timed, params: unknown, settingMs: number): number {
	if (def.limitMs !== undefined) {
		const own = ownLimitMs(def, params, settingMs);
		return own === 0 ? 0 : own + OWN_LIMIT_GRACE_MS;
	}
	if (def.effect === 'interact' && def.timeoutMs === 0) {
		return 0;
	}
	const limits = [def.timeoutMs, settingMs].filter((limit) => limit > 0);
	return limits.length === 0 ? 0 : Math.min(...limits);
}

/** At this limit the server gives up on the host's answer. */
export function callLimitMs(def: Timed, params: unknown, settingMs: number): number {
	const op = opLimitMs(def, params, settingMs);
	return op === 0 ? 0 : op + ANSWER_GRACE_MS;
}
