/**
 * The wire to one server process. When that process goes, every call under way rejects with SERVER_GONE at once:
 * JSON-RPC alone would leave them waiting.
 */
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { isWireError, type Wire, WIRE_CODES, WireError } from '../../protocol/rpc/wire.ts';

/** `gone` aborts when the process does, with the sentence for the log as its reason. */
export function serverWire(wire: Wire, gone: AbortSignal): Wire {
	return {
		...wire,
		async sendRequest(method, params, signal) {
			signal.throwIfAborted();
			if (gone.aborted) {
				throw goneError(method, gone);
			}
			const derived = deriveSignal(signal);
			const abort = () => derived.abort(goneError(method, gone));
			gone.addEventListener('abort', abort, { once: true });
			try {
				return await wire.sendRequest(method, params, derived.signal);
			} catch (error) {
				// The caller reads the same error whether the end of the transport or of the process was noticed first.
				throw isWireError(error) && error.code === WIRE_CODES.farEndGone ? goneError(method, gone) : error;
			} finally {
				gone.removeEventListener('abort', abort);
				derived.dispose();
			}
		},
	};
}

function goneError(method: string, gone: AbortSignal): WireError {
	const why = gone.aborted ? `: ${String(gone.reason)}` : '';
	return new WireError(WIRE_CODES.domainError, `${method}: the server process is gone${why}`, {
		code: 'SERVER_GONE',
		facts: {},
	});
}
