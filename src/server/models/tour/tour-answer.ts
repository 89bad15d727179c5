import type { OpName } from '../../../protocol/ops.ts';

/** What the tour says next. Without calls the turn is over. */
export interface TourAnswer {
	readonly text: string;
	readonly calls: readonly TourCall[];
	/** What a model could do next: `answer` what is not in the script, or begin `work` after the tour. */
	readonly offersModel?: 'answer' | 'work';
}

export interface TourCall {
	/** Names the result in the turn. */
	readonly label: string;
	readonly op: OpName;
	readonly input: Readonly<Record<string, unknown>>;
}
