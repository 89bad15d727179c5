/** A prompt that is answered without any model. */
import type { FastPathName } from '../../protocol/settings/fast-path-names.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

/** Circumstances of a prompt that a fast path may depend on. */
export interface PromptPlace {
	/** True when the prompt is the first message of its thread. */
	readonly isFirst: boolean;
}

export interface FastPath<Match = unknown> {
	readonly name: FastPathName;
	/** Undefined unless the whole message asks for just this; what asks for more is the model's. */
	match(text: string, place: PromptPlace): Match | undefined;
	/**
	 * Leaves in the journal what a model's turn would. Rejects when the signal aborts. When it rejects with anything else, the
	 * model answers as it would without the table.
	 */
	run(match: Match, turn: Turn, deps: TurnDeps, signal: AbortSignal): Promise<void>;
}
