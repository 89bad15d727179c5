/**
 * The end of an answer that has said all that it says. Who closes the connection there has the next request open another one,
 * which takes a vendor's two or three ways there and back.
 */
import type { Readable } from 'node:stream';
import { limits } from '../limits.ts';

/** Calls `end`, once, when `body` is at its end, breaks off, or goes on for longer than is worth it. */
export function readOut(body: Readable, end: () => void): void {
	let bytes = 0;
	let isOver = false;
	const over = () => {
		if (!isOver) {
			isOver = true;
			clearTimeout(timer);
			end();
		}
	};
	const timer = setTimeout(over, limits.readOutMs).unref();
	// Nobody wants to know any more how it fails.
	body.once('end', over).once('close', over).on('error', over);
	body.on('data', (chunk: Buffer) => {
		bytes += chunk.length;
		if (bytes > limits.maxReadOutBytes) {
			over();
		}
	});
}
