/**
 * Reads an answer to its end after its last part. Closing the connection there would make the next request open another
 * one, which takes two or three round trips to the vendor.
 */
import type { Readable } from 'node:stream';
import { modelLimits } from '../limits.ts';

/** Reads `body` to its end, so that its connection is free, or closes it when it goes on for longer than is worth it. */
export function readOut(body: Readable): void {
	let bytes = 0;
	const timer = setTimeout(() => body.destroy(), modelLimits.readOutMs).unref();
	const stopTimer = () => clearTimeout(timer);
	// Nobody wants to know any more how it fails.
	body.once('end', stopTimer).once('close', stopTimer).on('error', stopTimer);
	body.on('data', (chunk: Buffer) => {
		bytes += chunk.length;
		if (bytes > modelLimits.maxReadOutBytes) {
			body.destroy();
		}
	});
}
