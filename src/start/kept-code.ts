/**
 * File of code that V8 has made of a script: a line with the script's stamp, the number of starts that added to the
 * code and a checksum, then the code. V8 checks neither that the code is of this script nor that it is whole, and runs
 * whatever it is given.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

interface KeptCode {
	readonly code: Uint8Array;
	/** Starts that have added what they ran; from 1. */
	readonly starts: number;
}

/** The code that is kept in `file` of the script with this stamp. Undefined: none, another one's, or a damaged file. */
export function readKeptCode(file: string, stamp: string): KeptCode | undefined {
	let bytes: Buffer;
	try {
		bytes = readFileSync(file);
	} catch {
		return undefined;
	}
	const end = bytes.indexOf('\n');
	const [of, starts, checksum] = bytes.toString('latin1', 0, Math.max(0, end)).split(' ');
	const code = bytes.subarray(end + 1);
	return of === stamp && checksum === String(crc32(code)) ? { code, starts: Number(starts) } : undefined;
}

/** Replaces the file as a whole. Errors are ignored: the next start makes the code again. */
export function writeKeptCode(file: string, stamp: string, { code, starts }: KeptCode): void {
	const next = `${file}.${process.pid}`;
	try {
		mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
		writeFileSync(next, Buffer.concat([Buffer.from(`${stamp} ${starts} ${crc32(code)}\n`), code]), { mode: 0o600 });
		renameSync(next, file);
	} catch {
		rmSync(next, { force: true });
	}
}
