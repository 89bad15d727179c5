/**
 * The binary form, version 00: objects one after the other, a table of where each begins, and at the end how to read both.
 * Every offset and length is checked against what is there; objects are values here, so a cycle is refused.
 */
import {
	toPlistDate,
	toPlistInteger,
	malformedPlistError,
	MAX_PLIST_DEPTH,
	MAX_VALUES,
	type PlistValue,
} from './plist-value.ts';

const TRAILER_BYTES = 32;
const HEADER_BYTES = 8;
/** Dates count seconds from here. */
const APPLE_EPOCH_MS = Date.UTC(2001, 0, 1);

export function parseBinaryPlist(bytes: Buffer): PlistValue {
	if (bytes.length < HEADER_BYTES + TRAILER_BYTES + 1 || bytes.subarray(6, 8).toString('latin1') !== '00') {
		throw malformedPlistError('it is cut off, or of a version other than 00');
	}
	return new BinaryPlist(bytes).top();
}

class BinaryPlist {
	readonly #bytes: Buffer;
	readonly #refBytes: number;
	readonly #offsetBytes: number;
	readonly #count: number;
	readonly #topIndex: number;
	readonly #table: number;
	#made = 0;

	constructor(bytes: Buffer) {
		this.#bytes = bytes;
		const trailer = bytes.length - TRAILER_BYTES;
		this.#offsetBytes = bytes.readUInt8(trailer + 6);
		this.#refBytes = bytes.readUInt8(trailer + 7);
		this.#count = this.#unsigned(trailer + 8, 8);
		this.#topIndex = this.#unsigned(trailer + 16, 8);
		this.#table = this.#unsigned(trailer + 24, 8);
		const end = this.#table + this.#count * this.#offsetBytes;
		if (![1, 2, 3, 4, 8].includes(this.#offsetBytes) || ![1, 2, 3, 4, 8].includes(this.#refBytes)) {
			throw malformedPlistError('its table has entries of an unknown size');
		}
		if (this.#count < 1 || this.#table < HEADER_BYTES || !(end <= trailer)) {
			throw malformedPlistError('its table lies outside of it');
		}
	}

	top(): PlistValue {
		return this.#object(this.#topIndex, []);
	}

	#object(index: number, parents: readonly number[]): PlistValue {
		this.#made += 1;
		if (this.#made > MAX_VALUES) {
			throw malformedPlistError(`it holds more than ${MAX_VALUES} values`);
		}
		if (!(index < this.#count) || parents.length > MAX_PLIST_DEPTH || parents.includes(index)) {
			throw malformedPlistError('an object is missing, nested too deeply, or holds itself');
		}
		const at = this.#unsigned(this.#table + index * this.#offsetBytes, this.#offsetBytes);
		if (at < HEADER_BYTES || at >= this.#table) {
			throw malformedPlistError('an object lies outside of it');
		}
		const marker = this.#bytes.readUInt8(at);
		const low = marker & 0x0f;
		switch (marker >> 4) {
			case 0x0:
				return parseSimpleValue(marker);
			case 0x1:
				return this.#integer(at + 1, 2 ** low);
			case 0x2:
				return this.#real(at + 1, 2 ** low);
			case 0x3:
				return toPlistDate(new Date(APPLE_EPOCH_MS + Math.round(this.#real(at + 1, 8) * 1000)));
			case 0x8:
				return { $uid: this.#unsigned(at + 1, low + 1) };
		}
		const { length, start } = this.#length(at, low);
		switch (marker >> 4) {
			case 0x4:
				return { $data: this.#slice(start, length).toString('base64') };
			case 0x5:
				return this.#slice(start, length).toString('latin1');
			case 0x6:
				return Buffer.from(this.#slice(start, length * 2))
					.swap16()
					.toString('utf16le');
			case 0xa:
			case 0xc:
				return this.#refs(start, length).map((ref) => this.#object(ref, [...parents, index]));
			case 0xd: {
				const [keys, values] = [this.#refs(start, length), this.#refs(start + length * this.#refBytes, length)];
				return Object.fromEntries(
					keys.map((ref, n) => {
						const key = this.#object(ref, [...parents, index]);
						if (typeof key !== 'string') {
							throw malformedPlistError('a key is not text');
						}
						return [key, this.#object(values[n] ?? this.#count, [...parents, index])];
					}),
				);
			}
			default:
				throw malformedPlistError(`an object has the unknown mark 0x${marker.toString(16)}`);
		}
	}

	/** Lengths of 15 and more follow as a whole number of their own. */
	#length(at: number, low: number): { length: number; start: number } {
		if (low !== 0x0f) {
			return { length: low, start: at + 1 };
		}
		const marker = this.#slice(at + 1, 1)[0] ?? 0;
		const size = 2 ** (marker & 0x0f);
		if (marker >> 4 !== 0x1 || size > 8) {
			throw malformedPlistError('a length is no whole number');
		}
		return { length: this.#unsigned(at + 2, size), start: at + 2 + size };
	}

	#refs(start: number, length: number): number[] {
		this.#slice(start, length * this.#refBytes);
		if (length > MAX_VALUES) {
			throw malformedPlistError(`it holds more than ${MAX_VALUES} values`);
		}
		return Array.from({ length }, (_, n) => this.#unsigned(start + n * this.#refBytes, this.#refBytes));
	}

	/** Reads an integer: signed in 8 and 16 bytes (the format uses only the lower half of 16), unsigned in fewer. */
	#integer(start: number, size: number): PlistValue {
		const bytes = this.#slice(start, size);
		if (size === 16) {
			return toPlistInteger(BigInt.asIntN(128, BigInt(`0x${bytes.toString('hex')}`)));
		}
		return size === 8 ? toPlistInteger(bytes.readBigInt64BE()) : this.#unsigned(start, size);
	}

	#real(start: number, size: number): number {
		const bytes = this.#slice(start, size);
		const value = size === 4 ? bytes.readFloatBE() : size === 8 ? bytes.readDoubleBE() : Number.NaN;
		if (!Number.isFinite(value)) {
			throw malformedPlistError('a number is not finite');
		}
		return value;
	}

	#unsigned(start: number, size: number): number {
		const value = Number(BigInt(`0x${this.#slice(start, size).toString('hex') || '0'}`));
		if (!Number.isSafeInteger(value)) {
			throw malformedPlistError('a number in its structure is too large');
		}
		return value;
	}

	#slice(start: number, length: number): Buffer {
		if (!(length >= 0 && start >= 0 && start + length <= this.#bytes.length)) {
			throw malformedPlistError('an object reaches beyond its end');
		}
		return this.#bytes.subarray(start, start + length);
	}
}

function parseSimpleValue(marker: number): PlistValue {
	switch (marker) {
		case 0x00:
			return null;
		case 0x08:
			return false;
		case 0x09:
			return true;
		default:
			throw malformedPlistError(`an object has the unknown mark 0x${marker.toString(16)}`);
	}
}
