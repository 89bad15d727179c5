import type { Target } from './target.ts';

/** Tries an op out in the mind, for the person who is asked. */
export interface SimulationPort {
	/** What would probably happen, in words; shown with the approval and never judged by. Undefined: no model is there. */
	simulate(
		call: { readonly op: string; readonly targets: readonly Target[] },
		signal: AbortSignal,
	): Promise<string | undefined>;
}
