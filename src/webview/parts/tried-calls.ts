/** Requests of a page whose failure is shown on the page, until one succeeds. */
import { useState } from 'preact/hooks';
import { type AnyError, textForUser } from '../../protocol/errors/error-text.ts';
import { useText } from './text-actions.ts';

interface TriedCalls {
	/** Sentence about the latest failure; null: the latest request succeeded. */
	readonly failure: string | null;
	/** Result of the call; undefined when it failed, or when the page goes. Never rejects. */
	tried<T>(call: Promise<T>, signal?: AbortSignal): Promise<T | undefined>;
}

/** `signal`: aborted when the page goes, after which no failure is shown; a call may have another one. */
export function useTried(lifetime: AbortSignal): TriedCalls {
	const { t } = useText();
	const [failure, setFailure] = useState<string | null>(null);
	return {
		failure,
		tried: async (call, signal = lifetime) =>
			tryCall(call, signal, (problem) => setFailure(problem === null ? null : textForUser(problem, t))),
	};
}

/** `onEnd` gets the failure of the call, or null; once `signal` was aborted, it gets no failure any more. */
export async function tryCall<T>(
	call: Promise<T>,
	signal: AbortSignal,
	onEnd: (problem: AnyError | null) => void,
): Promise<T | undefined> {
	try {
		const result = await call;
		onEnd(null);
		return result;
	} catch (error) {
		if (!signal.aborted) {
			onEnd(toAnyError(error));
		}
		return undefined;
	}
}

/** Keeps whatever was thrown until it is drawn. */
export function toAnyError(error: unknown): AnyError {
	return error instanceof Error ? error : { message: String(error) };
}
