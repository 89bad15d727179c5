/**
 * Sends a request on a connection that outlives it. The signal is not among the request's options: Node binds the
 * socket that it opens for a request to that signal, and a later abort would break the next answer on the socket, or
 * the idle socket with an error nobody hears.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * The answer to `request` as soon as it begins. Rejects with the reason of `signal`, which ends request and answer until the
 * answer is over and does nothing from then on, or with the error of the network.
 */
export function answerTo(request: ClientRequest, body: string, signal: AbortSignal): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		const abort = () => {
			request.destroy();
			reject(signal.reason as Error);
		};
		if (signal.aborted) {
			abort();
		}
		signal.addEventListener('abort', abort, { once: true });
		request
			.once('close', () => signal.removeEventListener('abort', abort))
			// Stays for good: the far end may break the connection between the end of an answer and its next use.
			.on('error', reject)
			.once('response', resolve)
			.end(body);
	});
}

/** Tells later whether anything came on the connection of `request` since it was given it. */
export function trackReceivedBytes(request: ClientRequest): () => boolean {
	let before = 0;
	request.once('socket', (socket) => {
		before = socket.bytesRead;
	});
	return () => (request.socket?.bytesRead ?? 0) > before;
}
