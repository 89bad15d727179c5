/**
 * An offer as it is written: a line of JSON, columns of numbers, and a text for each capability, of which only those are read
 * that are told. Sums over the columns and each text tell a file that was cut or damaged.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { collectNeeds, type CapabilityShelf, countSourceRuns } from '../../../protocol/offer/capability-values.ts';
import type { CapabilityManifest } from '../../../protocol/capability/manifest.ts';
import type { CapabilityLocation } from '../sources/capability-source.ts';
import { countsOfIndex, type WordIndex } from './word-index.ts';

/** A capability as an agent is told of it, and how it looked when that was read. */
export interface OfferedItem extends Pick<CapabilityManifest, 'name' | 'type' | 'description'>, CapabilityLocation {
	readonly requires?: string[];
	/** With its manifests. */
	readonly files: readonly string[];
	/** Stamp of its folder and files; absent: it may change without a trace. */
	readonly stamp?: readonly number[];
}

/** State of the places that were scanned; while it is unchanged, no further capability can have appeared. */
export interface LookedAt {
	/** Each root, and where it really is; null: it was not there. */
	readonly roots: readonly (readonly [path: string, real: string | null])[];
	/** Folders in which a capability may appear. */
	readonly folders: readonly (readonly [path: string, stamp: readonly number[]])[];
	/** Links in them, and where they lead. */
	readonly links: readonly (readonly [path: string, real: string | null])[];
}

interface OfferColumns {
	/** Hash of the program, of the roots and of the list of disabled capabilities. */
	readonly key: string;
	readonly lookedAt: LookedAt;
	/** Index of words of the capabilities, in the order in which they are offered. */
	readonly index: WordIndex;
}

export interface KeptColumns extends OfferColumns {
	readonly shelf: CapabilityShelf;
	/** Texts of capabilities; undefined when one is damaged. */
	items(at: readonly number[]): OfferedItem[] | undefined;
}

interface OfferHead extends Pick<OfferColumns, 'key' | 'lookedAt'>, Pick<CapabilityShelf, 'sources'> {
	/** Indices of capabilities that need others, each with the indices of those others. */
	readonly needs: readonly (readonly [index: number, needs: readonly number[]])[];
	readonly words: number;
	readonly places: number;
	readonly items: number;
	/** Bytes of names and words. */
	readonly named: number;
	readonly spelled: number;
	/** Bytes of the texts of all capabilities. */
	readonly told: number;
	/** Checksum of the columns. */
	readonly sum: number;
}

const NUMBER_BYTES = Uint32Array.BYTES_PER_ELEMENT;
const NO_NUMBERS = new Uint32Array();

export function writtenOffer({ key, lookedAt, index }: OfferColumns, items: readonly OfferedItem[]): Buffer {
	const told = items.map((item) => Buffer.from(JSON.stringify(item)));
	const ends = new Uint32Array(told.length + 1);
	for (const [at, { length }] of told.entries()) ends[at + 1] = (ends[at] ?? 0) + length;
	const sums = Uint32Array.from(told, computeChecksum);
	const names = Buffer.from(JSON.stringify(items.map(({ type, name }) => ({ type, name }))));
	const words = Buffer.from(index.words.join('\n'));
	const numbers = [index.starts, index.places, index.lengths, ends, sums].map(({ buffer }) => Buffer.from(buffer));
	const columns = Buffer.concat([...numbers, names, words]);
	const head: OfferHead = {
		key,
		lookedAt,
		sources: countSourceRuns(items),
		needs: [...collectNeeds(items)],
		words: index.words.length,
		places: index.places.length,
		items: items.length,
		named: names.length,
		spelled: words.length,
		told: ends[told.length] ?? 0,
		sum: computeChecksum(columns),
	};
	const first = Buffer.from(JSON.stringify(head));
	return Buffer.concat([
		Buffer.from(Uint32Array.of(first.length, computeChecksum(first)).buffer),
		first,
		columns,
		...told,
	]);
}

/** Reads the columns alone. Undefined when they are damaged, or of another key. */
export async function readOffer(path: string, key: string): Promise<KeptColumns | undefined> {
	const file = await open(path, 'r');
	try {
		const { size } = await file.stat();
		const readBytes = async (length: number, position: number) => {
			const bytes = Buffer.allocUnsafe(Math.min(length, size - position));
			const { bytesRead } = await file.read(bytes, 0, bytes.length, position);
			return bytes.subarray(0, bytesRead);
		};
		const [length = 0, sum] = readNumbers(await readBytes(2 * NUMBER_BYTES, 0));
		const first = await readBytes(length, 2 * NUMBER_BYTES);
		if (computeChecksum(first) !== sum) return undefined;
		const head = JSON.parse(first.toString()) as OfferHead;
		const counts = [head.words + 1, head.places, head.items, head.items + 1, head.items];
		const columnsAt = 2 * NUMBER_BYTES + length;
		const toldAt = columnsAt + counts.reduce((all, each) => all + each * NUMBER_BYTES, head.named + head.spelled);
		if (head.key !== key || size !== toldAt + head.told) return undefined;
		const columns = await readBytes(toldAt - columnsAt, columnsAt);
		return computeChecksum(columns) === head.sum ? parseOfferColumns(head, counts, columns, path, toldAt) : undefined;
	} finally {
		await file.close();
	}
}

function parseOfferColumns(
	{ key, lookedAt, sources, needs, named, spelled }: OfferHead,
	counts: readonly number[],
	columns: Buffer,
	path: string,
	toldAt: number,
): KeptColumns {
	const take = createTaker(columns);
	const numbers = counts.map((count) => readNumbers(take(count * NUMBER_BYTES)));
	const [starts = NO_NUMBERS, places = NO_NUMBERS, lengths = NO_NUMBERS, ends = NO_NUMBERS, sums = NO_NUMBERS] =
		numbers;
	const names = take(named);
	const index = { words: take(spelled).toString().split('\n'), starts, places, lengths };
	return {
		key,
		lookedAt,
		index,
		shelf: {
			sources,
			needs: new Map(needs),
			counts: countsOfIndex(index),
			names: () => JSON.parse(names.toString()) as Pick<OfferedItem, 'type' | 'name'>[],
		},
		items(at) {
			// A few hundred short texts at once: to wait for each takes longer than to read it.
			const file = openSync(path, 'r');
			try {
				const items: OfferedItem[] = [];
				for (const each of at) {
					const [begin = 0, end = 0] = [ends[each], ends[each + 1]];
					const text = Buffer.allocUnsafe(end - begin);
					readSync(file, text, 0, text.length, toldAt + begin);
					// Another process may have replaced it.
					if (computeChecksum(text) !== sums[each]) return undefined;
					items.push(JSON.parse(text.toString()) as OfferedItem);
				}
				return items;
			} finally {
				closeSync(file);
			}
		},
	};
}

function createTaker(bytes: Buffer): (length: number) => Buffer {
	let at = 0;
	return (length) => {
		at += length;
		return bytes.subarray(at - length, at);
	};
}

function readNumbers(bytes: Buffer): Uint32Array {
	return new Uint32Array(Uint8Array.from(bytes).buffer);
}

/** Cheap, because it is taken before the first request: it tells damage, not a forger. */
function computeChecksum(bytes: Buffer): number {
	const whole = bytes.length - (bytes.length % NUMBER_BYTES);
	let [a, b] = [1, bytes.length];
	const numbers = readNumbers(bytes.subarray(0, whole));
	for (let at = 0; at < numbers.length; at += 1) {
		a = (Math.imul(a, 31) + (numbers[at] ?? 0)) | 0;
		b = (b + a) | 0;
	}
	for (const byte of bytes.subarray(whole)) a = (Math.imul(a, 31) + byte) | 0;
	return (a ^ Math.imul(b, 0x9e37)) >>> 0;
}
