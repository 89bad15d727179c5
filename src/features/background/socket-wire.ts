/** A conversation over a socket: one JSON line for each message. Whatever is none ends the connection. */
import type { Socket } from 'node:net';
import { toDisposable } from '../../base/disposable.ts';
import { BoundedLines } from '../../base/text/bounded-lines.ts';
import { type PostMessageWire, postMessageWire } from '../../protocol/rpc/post-message-wire.ts';

/** Closes with the socket. `lineBytes`: most of one message. */
export function socketWire(socket: Socket, lineBytes: number): PostMessageWire {
	const wire = postMessageWire({
		post(frame) {
			// Closes the connection of a slow reader instead of waiting for it: the reader can ask again for anything
			// it has missed.
			if (socket.writableLength > lineBytes) {
				socket.destroy();
			}
			if (!socket.writable) {
				throw new Error('the connection is closed');
			}
			socket.write(`${JSON.stringify(frame)}\n`);
		},
		listen(receive) {
			const lines = new BoundedLines({
				maxBytes: lineBytes,
				onLine(line) {
					let frame: unknown;
					try {
						frame = JSON.parse(Buffer.from(line).toString('utf8'));
					} catch {
						socket.destroy();
						return false;
					}
					receive(frame);
					return !socket.destroyed;
				},
				onTooLong: () => socket.destroy(),
			});
			const onData = (bytes: Buffer) => lines.push(bytes);
			socket.on('data', onData);
			return toDisposable(() => socket.off('data', onData));
		},
		onBadFrame: () => socket.destroy(),
	});
	socket.on('error', () => {
		// The end follows, and is told by 'close'.
	});
	socket.once('close', () => wire.close());
	return wire;
}
