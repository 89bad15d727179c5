import type { ThreadId } from '../../protocol/ids.ts';

export interface SimulatedCall {
	readonly op: string;
	readonly params: unknown;
	/** Whose model is asked, and who pays. */
	readonly threadId: ThreadId | null;
	/** Words of what the caller works at. */
	context(signal: AbortSignal): Promise<string>;
}

/** Tries an op out in the mind, for the person who is asked and for the model that asked for it. */
export interface SimulationPort {
	/**
	 * Predicts the outcome and the risks of an op in words; nothing is judged by them. Undefined: switched off, or no model
	 * is connected. Rejects when a model was asked and did not answer. Seed 0, S0-15 to S0-18.
	 */
	simulate(call: SimulatedCall, signal: AbortSignal): Promise<string | undefined>;
}
