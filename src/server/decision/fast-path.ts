/** A prompt that is answered without any model. */
import type { Turn, TurnDeps } from '../turn/turn.ts';

export interface FastPath<Match = unknown> {
	readonly name: string;
	/** Undefined unless the whole message asks for just this; what asks for more is the model's. */
	match(text: string): Match | undefined;
	/** Leaves in the journal what a model's turn would. Rejects when the signal aborts. */
	run(match: Match, turn: Turn, deps: TurnDeps, signal: AbortSignal): Promise<void>;
}
