/** Where others take part in an op without being able to allow or change it. Each is optional. */
import type { OpOutcome } from '../../protocol/broker.ts';
import type { Target } from './op-implementation.ts';
import type { Caller } from './op-implementation.ts';

export interface HookedCall {
	readonly op: string;
	readonly params: unknown;
	readonly caller: Caller;
}

export interface OpHooks {
	/** May only stop the op, with a reason for the model. Failing or being late stops it too. */
	before(
		call: HookedCall,
		signal: AbortSignal,
	): Promise<{ readonly kind: 'continue' } | { readonly kind: 'block'; readonly reason: string }>;
	/** Observes; what it throws is logged. */
	after(call: HookedCall, outcome: OpOutcome): void;
}

export interface SimulationPort {
	/** What would probably happen, in words; shown with the approval and never judged by. Undefined: no model is there. */
	simulate(
		call: { readonly op: string; readonly targets: readonly Target[] },
		signal: AbortSignal,
	): Promise<string | undefined>;
}
