/** Asks the server, which is everybody's: who does not wait for its start any more does not end it. */
import { orAborted } from '../../base/time/bounded-wait.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { WIRE_CODES, WireError } from '../../protocol/rpc/wire.ts';

/** Rejects with SERVER_GONE when it ended before it answered. */
export type AskServer = <T>(ask: (server: Peer) => Promise<T>, signal: AbortSignal) => Promise<T>;

export function askServer(start: () => Promise<Peer>): AskServer {
	return async (ask, signal) => {
		try {
			signal.throwIfAborted();
			return await ask(await orAborted(start(), signal));
		} catch (error) {
			const isGone = error instanceof WireError && error.code === WIRE_CODES.farEndGone;
			throw isGone
				? new ProwessError('SERVER_GONE', 'the server ended before it answered; ask again', {}, error)
				: error;
		}
	};
}
