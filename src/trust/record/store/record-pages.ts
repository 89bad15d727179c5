/**
 * Reads records straight from the pages of an SQLite file and of its log, for a file that SQLite itself no longer
 * opens. The records are not trusted: the caller must tell by the content of each whether it is one.
 * Source: https://www.sqlite.org/fileformat2.html
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export interface FoundRecord {
	/** Undefined in an index, or in a table without row ids. */
	readonly rowId: number | undefined;
	readonly values: readonly (string | number | null)[];
}

const DEFAULT_PAGE_BYTES = 4_096;
const FILE_HEADER_BYTES = 100;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const TABLE_LEAF = 0x0d;
const INDEX_LEAF = 0x0a;
/** A longer record is none of ours. */
const MAX_RECORD_BYTES = 1_000_000;

/** The records of every leaf, those of the log last. Older states of a page that are still there come as well. */
export function* readRecords(path: string): Generator<FoundRecord> {
	const file = new RecordPages(path);
	try {
		for (const page of file.all()) {
			yield* recordsOfPage(page, file);
		}
	} finally {
		file.close();
	}
}

interface RecordPage {
	readonly bytes: Buffer;
	/** Where the page says what it is: behind the header of the file in the first one. */
	readonly start: number;
}

class RecordPages {
	readonly #file: number;
	readonly #log: number | undefined;
	readonly #size: number;
	/** Where the newest state of a page stands in the log. */
	readonly #inLog = new Map<number, number>();

	constructor(path: string) {
		this.#file = openSync(path, 'r');
		this.#log = openIfThere(`${path}-wal`);
		const header = this.#read(this.#file, 0, FILE_HEADER_BYTES);
		const size = header.length < FILE_HEADER_BYTES ? 0 : header.readUInt16BE(16);
		const isSize = size === 1 || (size >= 512 && (size & (size - 1)) === 0);
		this.#size = isSize ? (size === 1 ? 65_536 : size) : DEFAULT_PAGE_BYTES;
	}

	/** Usable bytes of a page: all of them, because our files reserve none. */
	get usableBytes(): number {
		return this.#size;
	}

	*all(): Generator<RecordPage> {
		for (let at = 0; at < fstatSync(this.#file).size; at += this.#size) {
			yield { bytes: this.#read(this.#file, at, this.#size), start: at === 0 ? FILE_HEADER_BYTES : 0 };
		}
		if (this.#log === undefined) {
			return;
		}
		const frame = FRAME_HEADER_BYTES + this.#size;
		for (let at = LOG_HEADER_BYTES; at + frame <= fstatSync(this.#log).size; at += frame) {
			const number = this.#read(this.#log, at, 4).readUInt32BE(0);
			this.#inLog.set(number, at + FRAME_HEADER_BYTES);
		}
		for (let at = LOG_HEADER_BYTES; at + frame <= fstatSync(this.#log).size; at += frame) {
			const number = this.#read(this.#log, at, 4).readUInt32BE(0);
			const bytes = this.#read(this.#log, at + FRAME_HEADER_BYTES, this.#size);
			yield { bytes, start: number === 1 ? FILE_HEADER_BYTES : 0 };
		}
	}

	/** The page of that number, counted from 1, from the file when the log has none. */
	of(number: number): Buffer {
		const inLog = this.#inLog.get(number);
		return inLog === undefined || this.#log === undefined
			? this.#read(this.#file, (number - 1) * this.#size, this.#size)
			: this.#read(this.#log, inLog, this.#size);
	}

	close(): void {
		closeSync(this.#file);
		if (this.#log !== undefined) {
			closeSync(this.#log);
		}
	}

	#read(file: number, at: number, length: number): Buffer {
		const bytes = Buffer.alloc(length);
		return bytes.subarray(0, readSync(file, bytes, 0, length, at));
	}
}

function openIfThere(path: string): number | undefined {
	try {
		return openSync(path, 'r');
	} catch {
		return undefined;
	}
}

function* recordsOfPage({ bytes, start }: RecordPage, pages: RecordPages): Generator<FoundRecord> {
	const kind = bytes[start];
	if ((kind !== TABLE_LEAF && kind !== INDEX_LEAF) || bytes.length < start + 8) {
		return;
	}
	const cells = bytes.readUInt16BE(start + 3);
	for (let cell = 0; cell < cells; cell += 1) {
		const pointer = start + 8 + 2 * cell;
		if (pointer + 2 > bytes.length) {
			return;
		}
		const record = recordAt(bytes, bytes.readUInt16BE(pointer), kind === TABLE_LEAF, pages);
		if (record !== undefined) {
			yield record;
		}
	}
}

/** Undefined when what stands there is no record. */
function recordAt(page: Buffer, at: number, hasRowId: boolean, pages: RecordPages): FoundRecord | undefined {
	try {
		const [length, behindLength] = numberAt(page, at);
		const [rowId, begin] = hasRowId ? numberAt(page, behindLength) : [undefined, behindLength];
		if (length > MAX_RECORD_BYTES) {
			return undefined;
		}
		return { rowId, values: decodeRecordValues(payloadAt(page, begin, length, hasRowId, pages)) };
	} catch (error) {
		if (error instanceof RangeError) {
			return undefined;
		}
		throw error;
	}
}

/** A long record goes on in pages of its own. */
function payloadAt(page: Buffer, begin: number, length: number, hasRowId: boolean, pages: RecordPages): Buffer {
	const usable = pages.usableBytes;
	const least = Math.floor(((usable - 12) * 32) / 255) - 23;
	const most = hasRowId ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
	if (length <= most) {
		return page.subarray(begin, begin + length);
	}
	const some = least + ((length - least) % (usable - 4));
	const local = some <= most ? some : least;
	const pieces = [page.subarray(begin, begin + local)];
	let next = page.readUInt32BE(begin + local);
	for (let left = length - local; left > 0 && next > 0; left -= usable - 4) {
		const more = pages.of(next);
		pieces.push(more.subarray(4, 4 + Math.min(left, usable - 4)));
		next = more.readUInt32BE(0);
	}
	return Buffer.concat(pieces);
}

function decodeRecordValues(payload: Buffer): FoundRecord['values'] {
	const [headerLength, first] = numberAt(payload, 0);
	const values: (string | number | null)[] = [];
	let at = headerLength;
	for (let header = first; header < headerLength;) {
		const [kind, next] = numberAt(payload, header);
		header = next;
		const [value, length] = decodeRecordValueAt(payload, at, kind);
		values.push(value);
		at += length;
	}
	if (at > payload.length) {
		throw new RangeError('the record is cut short');
	}
	return values;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8] as const;

/** And how many bytes it takes. Bytes are no value of ours: null stands for them. */
function decodeRecordValueAt(
	payload: Buffer,
	at: number,
	kind: number,
): [value: string | number | null, length: number] {
	if (kind >= 12) {
		const length = (kind - 12 - (kind % 2)) / 2;
		return [kind % 2 === 1 ? payload.toString('utf8', at, at + length) : null, length];
	}
	if (kind === 7) {
		return [payload.readDoubleBE(at), 8];
	}
	if (kind === 8 || kind === 9) {
		return [kind - 8, 0];
	}
	const length = INTEGER_BYTES[kind] ?? 0;
	if (length === 0) {
		return [null, 0];
	}
	return [length === 8 ? Number(payload.readBigInt64BE(at)) : payload.readIntBE(at, length), length];
}

/** SQLite's number of variable length, and where it ends. Throws `RangeError` behind the end. */
function numberAt(bytes: Buffer, at: number): [value: number, end: number] {
	let value = 0;
	for (let n = 0; n < 8; n += 1) {
		const byte = bytes.readUInt8(at + n);
		value = value * 128 + (byte & 0x7f);
		if (byte < 0x80) {
			return [value, at + n + 1];
		}
	}
	return [value * 256 + bytes.readUInt8(at + 8), at + 9];
}
