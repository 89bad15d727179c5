/** Where programs of the user take part in an op, without being able to allow or change it. */
import type { OpOutcome } from '../../protocol/broker.ts';
import type { OpId } from '../../protocol/ids.ts';
import type { Caller } from './caller.ts';

export interface HookedCall {
	readonly opId: OpId;
	readonly op: string;
	readonly params: unknown;
	readonly caller: Caller;
}

/** `asked`: the programs that had a say, each with how it ran, for the ledger. */
export type HookVerdict = { readonly asked: readonly string[] } &
	/** `ask`: why the user is to be asked, whatever would allow it; absent: that is left to the gate. */
	({ readonly kind: 'continue'; readonly ask?: string } | { readonly kind: 'block'; readonly reason: string });

export interface OpHooks {
	/** Resolves when it is known whom an op concerns; before, it may be that each op concerns somebody. Absent: it always is. */
	ready?(): Promise<void>;
	/** Returns true when a program is asked before this op; otherwise nothing waits. */
	concerns(op: string): boolean;
	/** May only stop the op, with a reason for the model. Failing or being late stops it too. */
	before(call: HookedCall, signal: AbortSignal): Promise<HookVerdict>;
	/** Observes; what it throws is logged. */
	after(call: HookedCall, outcome: OpOutcome): void;
}
