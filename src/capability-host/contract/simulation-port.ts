import type { Target } from './target.ts';

/** Tries an op out in the mind, for the person who is asked. */
export interface SimulationPort {
	/** Simulates the likely effect in words, to show with the approval and never to judge by. Undefined without a model. */
	simulate(
		call: { readonly op: string; readonly targets: readonly Target[] },
		signal: AbortSignal,
	): Promise<string | undefined>;
}
