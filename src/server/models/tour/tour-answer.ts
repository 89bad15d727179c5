import type { OpName } from '../../../protocol/ops.ts';

/** What the tour says next. Without calls the turn is over. */
export interface TourAnswer {
	readonly text: string;
	readonly calls: readonly TourCall[];
	/** It is not in the script: offer a model that can answer. */
	readonly offersModel?: boolean;
}

export interface TourCall {
	/** Names the result in the turn. */
	readonly label: string;
	readonly op: OpName;
	readonly input: Readonly<Record<string, unknown>>;
}
