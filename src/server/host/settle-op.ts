/**
 * Finds out what is known of an op that was asked for and not answered: after a stop, a timeout, or a restart of this
 * process.
 */
import { setTimeout } from 'node:timers/promises';
import { assertNever } from '../../base/assert-never.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { OpOutcome } from '../../protocol/turn/broker.ts';
import type { OpId } from '../../protocol/rpc/ids.ts';
import type { HostBroker } from './host-broker.ts';

export type OpFate =
	| { readonly kind: 'settled'; readonly outcome: OpOutcome }
	/** The op ended with this status; its result was not kept. */
	| { readonly kind: 'recorded'; readonly status: OpOutcome['status']; readonly summary: string }
	/** The op was begun: it may or may not have happened, or it is still happening. */
	| { readonly kind: 'inDoubt' }
	/** The host never began it. */
	| { readonly kind: 'never' }
	/** The host does not answer. */
	| { readonly kind: 'silent' };

/** While it runs, the host is asked again so often. */
const AGAIN_MS = 100;

/**
 * Never rejects, and ends within `limitMs`. An op that still runs is waited for until then. `closing`: of the process,
 * because whoever asked has often been stopped.
 */
export async function resolveOpFate(
	host: Pick<HostBroker, 'outcome'>,
	opId: OpId,
	limitMs: number,
	closing: AbortSignal,
): Promise<OpFate> {
	const derived = deriveSignal(closing, { what: 'op/outcome', timeoutMs: limitMs });
	let isBegun = false;
	try {
		for (;;) {
			const known = await host.outcome(opId, derived.signal);
			switch (known.kind) {
				case 'settled':
				case 'recorded':
					return known;
				case 'running':
					isBegun = true;
					await setTimeout(AGAIN_MS, undefined, { signal: derived.signal });
					break;
				case 'inDoubt':
					return { kind: 'inDoubt' };
				case 'unknown':
					return { kind: 'never' };
				default:
					return assertNever(known);
			}
		}
	} catch {
		// A host that cannot say leaves us where we were.
		return { kind: isBegun ? 'inDoubt' : 'silent' };
	} finally {
		derived.dispose();
	}
}
