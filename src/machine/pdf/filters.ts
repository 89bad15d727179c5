/** Decoding of the bytes of a stream through its filters. */
import { constants, inflateRawSync } from 'node:zlib';
import type { Budget } from './budget.ts';
import { MAX_FILTERS } from './limits.ts';

export interface Filter {
	readonly name: string;
	/** PNG's way to write differences; 1: none. */
	readonly predictor: number;
	/** Bytes of a row, and of a sample. */
	readonly rowBytes: number;
	readonly sampleBytes: number;
	readonly isEarly: boolean;
}

/** Undefined for what is no text, or cannot be read. Throws TooMuch. */
export function applyFilters(bytes: Buffer, filters: readonly Filter[], budget: Budget): Buffer | undefined {
	if (filters.length > MAX_FILTERS) return undefined;
	let now = bytes;
	for (const filter of filters) {
		const next = decodedOnce(now, filter, budget);
		if (next === undefined) return undefined;
		budget.inflated(next.length);
		now = next;
	}
	return now;
}

function decodedOnce(bytes: Buffer, filter: Filter, budget: Budget): Buffer | undefined {
	switch (filter.name) {
		case 'FlateDecode':
		case 'Fl':
			return undoPrediction(inflateBytes(bytes, budget.mostBytes), filter);
		case 'LZWDecode':
		case 'LZW':
			return undoPrediction(unLzw(bytes, filter.isEarly, budget), filter);
		case 'ASCIIHexDecode':
		case 'AHx': {
			const digits = (bytes.toString('latin1').split('>')[0] ?? '').replaceAll(/[^0-9A-Fa-f]/g, '');
			return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
		}
		case 'ASCII85Decode':
		case 'A85':
			return unAscii85(bytes, budget.mostBytes);
		case 'RunLengthDecode':
		case 'RL':
			return unRunLength(bytes, budget.mostBytes);
		default:
			return undefined;
	}
}

/** Inflates the bytes. A stream that ends early counts as far as it goes, and its checksum is not checked. */
function inflateBytes(bytes: Buffer, most: number): Buffer | undefined {
	const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: most };
	try {
		return inflateRawSync(bytes.subarray(2), options);
	} catch {
		return undefined;
	}
}

function undoPrediction(bytes: Buffer | undefined, { predictor, rowBytes, sampleBytes }: Filter): Buffer | undefined {
	if (bytes === undefined || predictor < 10) return predictor === 2 ? undefined : bytes;
	const rows = Math.ceil(bytes.length / (rowBytes + 1));
	const plain = Buffer.alloc(rows * rowBytes);
	for (let row = 0; row < rows; row += 1) {
		const kind = bytes[row * (rowBytes + 1)] ?? 0;
		for (let index = 0; index < rowBytes; index += 1) {
			const at = row * rowBytes + index;
			const left = index < sampleBytes ? 0 : (plain[at - sampleBytes] ?? 0);
			const up = row === 0 ? 0 : (plain[at - rowBytes] ?? 0);
			const corner = row === 0 || index < sampleBytes ? 0 : (plain[at - rowBytes - sampleBytes] ?? 0);
			const guess = [0, left, up, (left + up) >> 1, predictPaeth(left, up, corner)][kind] ?? 0;
			plain[at] = ((bytes[row * (rowBytes + 1) + 1 + index] ?? 0) + guess) & 0xff;
		}
	}
	return plain;
}

function predictPaeth(left: number, up: number, corner: number): number {
	const around = left + up - corner;
	const [toLeft, toUp, toCorner] = [Math.abs(around - left), Math.abs(around - up), Math.abs(around - corner)];
	return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}

function unLzw(bytes: Buffer, isEarly: boolean, budget: Budget): Buffer {
	const most = budget.mostBytes;
	const out: Buffer[] = [];
	let [length, width, held, heldBits] = [0, 9, 0, 0];
	let table: Buffer[] = [];
	let last: Buffer | undefined;
	const resetTable = () => {
		table = Array.from({ length: 258 }, (_, code) => Buffer.from([code & 0xff]));
		[width, last] = [9, undefined];
	};
	resetTable();
	for (const byte of bytes) {
		held = (held << 8) | byte;
		heldBits += 8;
		if (heldBits < width) continue;
		budget.step();
		heldBits -= width;
		const code = held >> heldBits;
		held &= (1 << heldBits) - 1;
		if (code === 257) break;
		if (code === 256) {
			resetTable();
			continue;
		}
		const entry: Buffer | undefined =
			code < table.length ? table[code] : last && Buffer.concat([last, last.subarray(0, 1)]);
		if (entry === undefined) break;
		out.push(entry);
		length += entry.length;
		if (length > most) break;
		if (last !== undefined && table.length < 4_096) table.push(Buffer.concat([last, entry.subarray(0, 1)]));
		last = entry;
		const size = table.length + (isEarly ? 1 : 0);
		width = size >= 2_048 ? 12 : size >= 1_024 ? 11 : size >= 512 ? 10 : 9;
	}
	return Buffer.concat(out).subarray(0, most);
}

function unAscii85(bytes: Buffer, most: number): Buffer {
	const out = Buffer.alloc(Math.min(most, bytes.length * 4 + 8));
	let length = 0;
	let digits: number[] = [];
	const flushDigits = () => {
		if (digits.length < 2) return;
		const missing = 5 - digits.length;
		const value = [...digits, 84, 84, 84, 84].slice(0, 5).reduce((sum, digit) => sum * 85 + digit, 0);
		for (let index = 0; index < 4 - missing; index += 1)
			length = out.writeUInt8(Math.floor(value / 256 ** (3 - index)) & 0xff, length);
		digits = [];
	};
	for (const sign of bytes) {
		if (sign === 0x7e || length + 8 > out.length) break;
		if (sign === 0x7a && digits.length === 0) length += 4;
		else if (sign >= 0x21 && sign <= 0x75) {
			digits.push(sign - 0x21);
			if (digits.length === 5) flushDigits();
		}
	}
	if (length + 4 <= out.length) flushDigits();
	return out.subarray(0, length);
}

function unRunLength(bytes: Buffer, most: number): Buffer {
	const out: Buffer[] = [];
	let length = 0;
	for (let at = 0; at < bytes.length && length < most;) {
		const count = bytes[at] ?? 128;
		if (count === 128) break;
		const run = count < 128 ? bytes.subarray(at + 1, at + 2 + count) : Buffer.alloc(257 - count, bytes[at + 1] ?? 0);
		out.push(run);
		length += run.length;
		at += count < 128 ? count + 2 : 2;
	}
	return Buffer.concat(out);
}
