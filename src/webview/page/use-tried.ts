/** Requests of a page whose failure is shown on the page, until one succeeds. */
import { useState } from 'preact/hooks';
import { textForUser } from '../../protocol/errors/error-text.ts';
import { toAnyError } from '../actions/asking.ts';
import { useText } from '../markdown/text/text-actions.ts';

interface TriedCalls {
	/** Sentence about the latest failure; null: the latest request succeeded. */
	readonly failure: string | null;
	/** Result of the call; undefined when it failed, or when the page goes. Never rejects. */
	tried<T>(call: Promise<T>): Promise<T | undefined>;
}

/** `signal`: aborted when the page goes, after which no failure is shown. */
export function useTried(signal: AbortSignal): TriedCalls {
	const { t } = useText();
	const [failure, setFailure] = useState<string | null>(null);
	return {
		failure,
		async tried(call) {
			try {
				const result = await call;
				setFailure(null);
				return result;
			} catch (error) {
				if (!signal.aborted) {
					setFailure(textForUser(toAnyError(error), t));
				}
				return undefined;
			}
		},
	};
}
