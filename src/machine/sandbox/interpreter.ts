/** The program that the first line of a script names. */
import { closeSync, openSync, readSync } from 'node:fs';

/** Length of the first line that the system reads. */
const LINE_BYTES = 256;

/** Undefined for what is no script, or cannot be read. */
export function readInterpreter(file: string): string | undefined {
	const bytes = Buffer.alloc(LINE_BYTES);
	try {
		const descriptor = openSync(file, 'r');
		try {
			readSync(descriptor, bytes, 0, LINE_BYTES, 0);
		} finally {
			closeSync(descriptor);
		}
	} catch {
		// A file may be executable without being readable.
		return undefined;
	}
	return /^#![ \t]*([^ \t\n\0]+)/.exec(bytes.toString('latin1'))?.[1];
}
