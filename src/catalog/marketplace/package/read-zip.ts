/**
 * A zip as files in memory, when all of it is what it says: as many, as large and as named as the directory has it, with the
 * right checksums, nothing but plain files and folders, and no more than is allowed. The library finds and inflates entries;
 * what may be in one is decided here.
 */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import { MAX_FILES, MAX_TOTAL_BYTES } from '../../limits.ts';
import { MAX_ARCHIVE_BYTES, MAX_RATIO, RATIO_FROM_BYTES } from '../limits.ts';
import { checkEntryNames, escapeEntryPath } from './entry-names.ts';
import { refuseHiddenText } from '../../registry/reading/hidden-text.ts';
import { type PackageFile, createExtractionError } from '../../package-file.ts';
import { checkRanges, type EntryRange, readZipLayout } from './zip-layout.ts';

interface NamedEntry {
	readonly entry: Entry;
	/** Without a slash at the end. */
	readonly path: string;
	readonly isFolder: boolean;
}

/** Rejects with EXTRACTION_FAILED and what is wrong with which entry. */
export async function readZip(bytes: Buffer, signal: AbortSignal): Promise<PackageFile[]> {
	signal.throwIfAborted();
	if (bytes.length > MAX_ARCHIVE_BYTES) {
		throw createExtractionError('the archive', `${bytes.length} bytes, the limit is ${MAX_ARCHIVE_BYTES}`);
	}
	const { entryCount, directoryStart } = readZipLayout(bytes);
	if (entryCount > MAX_FILES) {
		throw createExtractionError('the archive', `${entryCount} entries, the limit is ${MAX_FILES}`);
	}
	try {
		const zip = await fromBufferPromise(bytes, { lazyEntries: true, decodeStrings: false, validateEntrySizes: true });
		try {
			const entries = await readDirectory(zip);
			if (entries.length !== entryCount) {
				throw createExtractionError('the archive', `it has ${entries.length} entries and says ${entryCount}`);
			}
			checkEntryNames(entries);
			checkSizes(entries);
			checkRanges(await localRanges(zip, entries), directoryStart);
			const files = await inflateEntries(zip, entries, signal);
			refuseHiddenText(files);
			return files;
		} finally {
			zip.close();
		}
	} catch (error) {
		signal.throwIfAborted();
		if (isProwessError(error)) {
			throw error;
		}
		throw createExtractionError('the archive', toErrorMessage(error), error);
	}
}

async function readDirectory(zip: ZipFile): Promise<NamedEntry[]> {
	const entries: NamedEntry[] = [];
	for await (const entry of zip.eachEntry()) {
		const name = decodeEntryName(entry);
		const isFolder = name.endsWith('/');
		const path = isFolder ? name.slice(0, -1) : name;
		checkKind(entry, path, isFolder);
		entries.push({ entry, path, isFolder });
	}
	return entries;
}

/**
 * Returns the name of an entry, decoded from its bytes as UTF-8. Refuses old code pages, and a second name in an extra
 * field.
 */
function decodeEntryName({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
	let name: string;
	try {
		name = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fileNameRaw);
	} catch (error) {
		throw createExtractionError(escapeEntryPath(fileNameRaw.toString('latin1')), 'its name is not UTF-8', error);
	}
	const isMarkedUtf8 = (generalPurposeBitFlag & 0x800) !== 0;
	if (!isMarkedUtf8 && /[^\0-\u007f]/.test(name)) {
		throw createExtractionError(escapeEntryPath(name), 'its name is neither ASCII nor marked as UTF-8');
	}
	if (extraFields.some(({ id }) => id === 0x7075 || id === 0x0001)) {
		throw createExtractionError(escapeEntryPath(name), 'it has a second name, or sizes in the zip64 form');
	}
	return name;
}

function checkKind(entry: Entry, path: string, isFolder: boolean): void {
	const { compressionMethod, uncompressedSize, generalPurposeBitFlag, externalFileAttributes } = entry;
	// Encrypted in one way or another, or a patch.
	if ((generalPurposeBitFlag & (0x0001 | 0x0020 | 0x0040 | 0x2000)) !== 0) {
		throw createExtractionError(escapeEntryPath(path), 'it is encrypted');
	}
	if (compressionMethod !== 0 && compressionMethod !== 8) {
		throw createExtractionError(
			escapeEntryPath(path),
			`compression method ${compressionMethod}; only stored and deflated entries are read`,
		);
	}
	const fileType = (externalFileAttributes >>> 16) & 0o170000;
	const isFolderType = fileType === 0o040000 || (externalFileAttributes & 0x10) !== 0;
	if (fileType !== 0 && fileType !== 0o100000 && fileType !== 0o040000) {
		throw createExtractionError(escapeEntryPath(path), 'it is a link or a special file');
	}
	if (isFolder ? fileType === 0o100000 || uncompressedSize !== 0 : isFolderType) {
		throw createExtractionError(escapeEntryPath(path), 'it is a file and a folder');
	}
}

function checkSizes(entries: readonly NamedEntry[]): void {
	let total = 0;
	for (const { entry, path } of entries) {
		const { compressedSize, uncompressedSize } = entry;
		total += uncompressedSize;
		if (uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > compressedSize * MAX_RATIO) {
			throw createExtractionError(escapeEntryPath(path), `it unpacks to more than ${MAX_RATIO} times its size`);
		}
		if (total > MAX_TOTAL_BYTES) {
			throw createExtractionError('the archive', `it unpacks to more than ${MAX_TOTAL_BYTES} bytes`);
		}
	}
}

/**
 * Returns the byte range of each entry. Refuses an entry whose local header differs from the directory of the archive.
 */
async function localRanges(zip: ZipFile, entries: readonly NamedEntry[]): Promise<EntryRange[]> {
	const ranges: EntryRange[] = [];
	for (const { entry, path } of entries) {
		const local = await zip.readLocalFileHeaderPromise(entry, {});
		const hasDescriptor = (entry.generalPurposeBitFlag & 0x8) !== 0;
		const isSame =
			local.fileName.equals(entry.fileNameRaw) &&
			local.compressionMethod === entry.compressionMethod &&
			local.generalPurposeBitFlag === entry.generalPurposeBitFlag &&
			(hasDescriptor ||
				(local.compressedSize === entry.compressedSize &&
					local.uncompressedSize === entry.uncompressedSize &&
					local.crc32 === entry.crc32));
		if (!isSame) {
			throw createExtractionError(escapeEntryPath(path), 'its own header and the directory of the archive differ');
		}
		const end = local.fileDataStart + entry.compressedSize;
		ranges.push({ path: escapeEntryPath(path), start: entry.relativeOffsetOfLocalHeader, end, hasDescriptor });
	}
	return ranges;
}

async function inflateEntries(
	zip: ZipFile,
	entries: readonly NamedEntry[],
	signal: AbortSignal,
): Promise<PackageFile[]> {
	const files: PackageFile[] = [];
	let left = MAX_TOTAL_BYTES;
	for (const { entry, path, isFolder } of entries) {
		signal.throwIfAborted();
		if (isFolder) {
			continue;
		}
		const pieces: Buffer[] = [];
		// The stream ends with an error when the entry unpacks to another size than it declares.
		for await (const piece of await zip.openReadStreamPromise(entry)) {
			pieces.push(piece as Buffer);
			left -= (piece as Buffer).length;
			if (left < 0) {
				throw createExtractionError('the archive', `it unpacks to more than ${MAX_TOTAL_BYTES} bytes`);
			}
		}
		const bytes = Buffer.concat(pieces);
		if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32) {
			throw createExtractionError(escapeEntryPath(path), 'its content does not have the checksum it says');
		}
		files.push({ path, bytes });
	}
	return files;
}
