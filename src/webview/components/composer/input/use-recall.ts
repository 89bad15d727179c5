/** The user's earlier messages, brought back into the field one by one. */
import { useState } from 'preact/hooks';
import type { ComposerField } from './use-field.ts';

interface MessageRecall {
	/**
	 * Puts the next older (1) or newer (-1) message into the field. False: the text in the field would be lost, or no
	 * such message exists.
	 */
	recall(step: 1 | -1): boolean;
	/** Begins at the newest again. */
	forget(): void;
}

/** `history`: the newest first. */
export function useRecall(field: ComposerField, history: readonly string[]): MessageRecall {
	const [recalled, setRecalled] = useState(-1);
	return {
		recall(step) {
			const text = field.text();
			const isBrowsing = text === '' || (recalled >= 0 && text === history[recalled]);
			const next = Math.max(-1, recalled + step);
			if (!isBrowsing || next >= history.length || (step < 0 && recalled < 0)) {
				return false;
			}
			setRecalled(next);
			field.write(history[next] ?? '');
			return true;
		},
		forget: () => setRecalled(-1),
	};
}
