/** A turn that its client may stop at any moment, also before the client knows of it. */
import type { TurnEnd, TurnEnds } from './turn-ends.ts';

interface StoppableTurn {
	readonly ends: Pick<TurnEnds, 'of'>;
	/** Sends the message; resolves with the turn once it has begun. */
	prompt(gone: AbortSignal): Promise<{ readonly turnId: string }>;
	/** Asks for the end of what the thread does. */
	stop(): Promise<unknown>;
	/** Aborts where the end of the turn can no longer come. */
	readonly gone: AbortController;
}

/**
 * Resolves with the end of the turn. A message on its way is not taken back when `signal` aborts: the server may have begun the
 * turn, so it is stopped as soon as it is known. Rejects when `gone` aborts, and when it cannot be stopped.
 */
export async function followStoppableTurn(
	{ ends, prompt, stop, gone }: StoppableTurn,
	signal: AbortSignal,
): Promise<TurnEnd> {
	signal.throwIfAborted();
	const { turnId } = await prompt(gone.signal);
	const stopTurn = () => {
		stop().catch((error: unknown) => gone.abort(error));
	};
	signal.addEventListener('abort', stopTurn, { once: true });
	try {
		if (signal.aborted) stopTurn();
		return await ends.of(turnId, gone.signal);
	} finally {
		signal.removeEventListener('abort', stopTurn);
	}
}
