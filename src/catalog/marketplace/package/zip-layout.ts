/**
 * The outer form of a zip, checked before anything is unpacked: one directory at the very end, no bytes before, between or
 * after, so that every reader finds the same entries in it.
 */
import { createExtractionError } from '../../package-file.ts';

const END_BYTES = 22;
const END_SIGNATURE = 0x06054b50;
const ZIP = 'the archive';

/** Where the entries end and the directory begins. */
interface ZipLayout {
	readonly entryCount: number;
	readonly directoryStart: number;
}

export function readZipLayout(bytes: Buffer): ZipLayout {
	const end = bytes.length - END_BYTES;
	if (end < 0 || bytes.readUInt32LE(end) !== END_SIGNATURE) {
		throw createExtractionError(ZIP, `it is no zip that ends where it should; ${describeNonArchive(bytes)}`);
	}
	const [disk, startDisk, here, entryCount] = [4, 6, 8, 10].map((at) => bytes.readUInt16LE(end + at)) as [
		number,
		number,
		number,
		number,
	];
	const size = bytes.readUInt32LE(end + 12);
	const directoryStart = bytes.readUInt32LE(end + 16);
	if (entryCount === 0xffff || size === 0xffffffff || directoryStart === 0xffffffff) {
		throw createExtractionError(ZIP, 'it is in the zip64 form');
	}
	if (disk !== 0 || startDisk !== 0 || here !== entryCount) {
		throw createExtractionError(ZIP, 'it is split into several');
	}
	if (bytes.readUInt16LE(end + 20) !== 0) {
		throw createExtractionError(ZIP, 'it has a comment');
	}
	if (directoryStart + size !== end) {
		throw createExtractionError(ZIP, 'its directory does not lie between the entries and the end');
	}
	return { entryCount, directoryStart };
}

/** Bytes of one entry in the archive, local header included. */
export interface EntryRange {
	readonly path: string;
	readonly start: number;
	readonly end: number;
	/** True when the sizes of the entry follow its bytes. */
	readonly hasDescriptor: boolean;
}

/** The entries lie one after the other and fill everything up to the directory. */
export function checkRanges(ranges: readonly EntryRange[], directoryStart: number): void {
	let at = 0;
	let slack: readonly number[] = [0];
	for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
		if (!slack.includes(range.start - at)) {
			throw createExtractionError(
				range.path,
				range.start < at ? 'it overlaps another entry' : 'bytes before it belong to no entry',
			);
		}
		at = range.end;
		slack = range.hasDescriptor ? [12, 16] : [0];
	}
	if (!slack.includes(directoryStart - at)) {
		throw createExtractionError(ZIP, 'it has bytes that belong to no entry');
	}
}

/** Describes what the bytes seem to be instead of an archive, for the person who put them there. */
function describeNonArchive(bytes: Buffer): string {
	const start = bytes.subarray(0, 200).toString('latin1').trimStart();
	if (bytes.length === 0) return 'it is empty';
	if (start.startsWith('<')) return 'it looks like a web page';
	if (/^[{[]/.test(start)) return 'it looks like JSON';
	if (start.startsWith('PK\u0003\u0004'))
		return 'it begins as one and is cut off, or has a comment or bytes after its end';
	return `it begins with ${JSON.stringify(start.slice(0, 16).replaceAll(/[^ -~]/g, '.'))}`;
}
