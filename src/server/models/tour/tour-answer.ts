import type { OpName } from '../../../protocol/ops.ts';

/** Next answer of the tour. The turn is over when `calls` is empty. */
export interface TourAnswer {
	readonly text: string;
	readonly calls: readonly TourCall[];
	/**
	 * Offer of a connected model: to `answer` a question that the script does not cover, or to begin `work` after the
	 * tour.
	 */
	readonly offersModel?: 'answer' | 'work';
}

export interface TourCall {
	/** Names the result in the turn. */
	readonly label: string;
	readonly op: OpName;
	readonly input: Readonly<Record<string, unknown>>;
}
