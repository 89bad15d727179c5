/**
 * The life of the server process, as data. `ServerClient` performs the effects; nothing here touches a process or a clock.
 * A server that dies is started again at once; one that keeps dying is left alone, with its reason and a button.
 */
import { assertNever } from '../../base/assert-never.ts';
import type { ProwessError } from '../../protocol/errors/errors.ts';
import { extensionLimits } from '../editor/limits.ts';

/** `deaths`: times of the deaths that still count against the limit, by the monotonic clock, oldest first. */
export type ServerLife =
	| { readonly kind: 'idle' }
	| { readonly kind: 'starting'; readonly deaths: readonly number[] }
	| { readonly kind: 'running'; readonly deaths: readonly number[] }
	/** `error`: why another start would fail, too; absent when it died too often. */
	| { readonly kind: 'degraded'; readonly reason: string; readonly error?: ProwessError }
	/** The extension is being deactivated: nothing starts any more. */
	| { readonly kind: 'closed' };

export type ServerEvent =
	/** Somebody needs the server. */
	| { readonly kind: 'needed' }
	/** The handshake is done. */
	| { readonly kind: 'started' }
	/** The process is gone, or never came up; `at` by the monotonic clock. */
	| { readonly kind: 'gone'; readonly at: number; readonly reason: string }
	/** The server cannot start, and another start would not change that. */
	| { readonly kind: 'hopeless'; readonly reason: string; readonly error: ProwessError }
	/** The user asked for a fresh server. */
	| { readonly kind: 'restartAsked' }
	| { readonly kind: 'closed' };

/** Late events change nothing: a start that succeeds after its process was given up, a death after the close. */
export function nextLife(life: ServerLife, event: ServerEvent): ServerLife {
	if (life.kind === 'closed') {
		return life;
	}
	switch (event.kind) {
		case 'needed':
			return life.kind === 'idle' ? { kind: 'starting', deaths: [] } : life;
		case 'started':
			return life.kind === 'starting' ? { kind: 'running', deaths: life.deaths } : life;
		case 'gone':
			return life.kind === 'starting' || life.kind === 'running' ? afterDeath(life.deaths, event) : life;
		case 'hopeless':
			return life.kind === 'starting' ? { kind: 'degraded', reason: event.reason, error: event.error } : life;
		case 'restartAsked':
			// The user's own wish does not count as a death, and wipes the record.
			return { kind: 'starting', deaths: [] };
		case 'closed':
			return { kind: 'closed' };
		default:
			return assertNever(event);
	}
}

/** Returns the pause before the start in this state, in ms; 0 when the state is not `starting`. */
export function restartPauseMs(life: ServerLife): number {
	return life.kind === 'starting' ? life.deaths.length * extensionLimits.restartPauseMs : 0;
}

function afterDeath(before: readonly number[], { at, reason }: { at: number; reason: string }): ServerLife {
	const deaths = [...before.filter((death) => at - death < extensionLimits.restartWindowMs), at];
	return deaths.length > extensionLimits.restartsInWindow ? { kind: 'degraded', reason } : { kind: 'starting', deaths };
}
