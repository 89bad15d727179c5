/**
 * The end of an answer that has said all that it says. Who closes the connection there has the next request open another one,
 * which takes a vendor's two or three ways there and back.
 */
import type { Readable } from 'node:stream';
import { limits } from '../limits.ts';

/** Reads `body` to its end, so that its connection is free, or closes it when it goes on for longer than is worth it. */
export function readOut(body: Readable): void {
	let bytes = 0;
	const timer = setTimeout(() => body.destroy(), limits.readOutMs).unref();
	const over = () => clearTimeout(timer);
	// Nobody wants to know any more how it fails.
	body.once('end', over).once('close', over).on('error', over);
	body.on('data', (chunk: Buffer) => {
		bytes += chunk.length;
		if (bytes > limits.maxReadOutBytes) {
			body.destroy();
		}
	});
}
