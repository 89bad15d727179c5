/**
 * Files as a zip that is the same byte for byte wherever it is made: in order of their names, without times, owners and
 * rights, and stored, because what deflating yields differs between versions of zlib. Servers compress it on the way.
 */
import { crc32 } from 'node:zlib';
import type { PackageFile } from '../../package-file.ts';

const ZIP_VERSION = 20;
const UTF8 = 0x800;
/** Midnight of 1 January 1980, the earliest there is. */
const ZIP_DATE = 0x21;
const UNIX = 3 << 8;
const PLAIN_FILE = (0o100644 << 16) >>> 0;

export function writeZip(files: readonly PackageFile[]): Buffer {
	const parts: Buffer[] = [];
	const directory: Buffer[] = [];
	let at = 0;
	for (const { path, bytes } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
		const name = Buffer.from(path, 'utf8');
		const common = Buffer.alloc(26);
		common.writeUInt16LE(ZIP_VERSION, 0);
		common.writeUInt16LE(UTF8, 2);
		common.writeUInt16LE(ZIP_DATE, 8);
		common.writeUInt32LE(crc32(bytes), 10);
		common.writeUInt32LE(bytes.length, 14);
		common.writeUInt32LE(bytes.length, 18);
		common.writeUInt16LE(name.length, 22);
		parts.push(Buffer.from('PK\u0003\u0004', 'latin1'), common, name, bytes);
		const own = Buffer.alloc(14);
		own.writeUInt32LE(PLAIN_FILE, 6);
		own.writeUInt32LE(at, 10);
		const madeBy = Buffer.alloc(2);
		madeBy.writeUInt16LE(UNIX | ZIP_VERSION, 0);
		directory.push(Buffer.from('PK\u0001\u0002', 'latin1'), madeBy, common, own, name);
		at += 30 + name.length + bytes.length;
	}
	const entries = Buffer.concat(directory);
	const end = Buffer.alloc(18);
	end.writeUInt16LE(files.length, 4);
	end.writeUInt16LE(files.length, 6);
	end.writeUInt32LE(entries.length, 8);
	end.writeUInt32LE(at, 12);
	return Buffer.concat([...parts, entries, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}
